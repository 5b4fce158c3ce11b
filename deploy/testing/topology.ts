import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { dirname } from 'node:path';
import { builtFile } from '../../embedded/launcher/built-files.js';
import { anyFreePort } from '../../embedded/postgres/free-port.js';
import { createTestDatabase } from '../../embedded/postgres/testing/test-database.js';
import { composeFile, textOf } from './deployment-files.js';
import { nginxArguments, nginxFolder } from './nginx.js';
import { runToEnd, Service } from './service.js';

export const ADMIN_PASSWORD = randomBytes(8).toString('hex');

export type Topology = Awaited<ReturnType<typeof startTopology>>;

/** docker-compose.yml as plain processes: its own commands, on the embedded event store and the tests' Postgres. */
export async function startTopology() {
  const [database, logDatabase] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const [storePort, nginxPort] = [await anyFreePort(), await anyFreePort()];
  const apiPorts = [await anyFreePort(), await anyFreePort()];
  const stores = { DATABASE_URL: database.url, EVENT_STORE_URL: `esdb://127.0.0.1:${storePort}?tls=false` };
  const eventStore = new Service({
    command: [process.execPath, builtFile('embedded/event-store/main.js')],
    env: { EVENT_STORE_DATABASE_URL: logDatabase.url, EVENT_STORE_PORT: String(storePort) },
    probe: () => connectTo(storePort),
  });
  const runners = [0, 1].map(() => new Service({ command: commandOf('projections'), env: stores }));
  const apis = apiPorts.map((port) => apiService(port, stores));
  const nodes = apiPorts.map((port) => `127.0.0.1:${port}`);
  const configuration = nginxFolder({ nodes, listen: `listen 127.0.0.1:${nginxPort};` });
  const command = ['nginx', ...nginxArguments(configuration)];
  const nginx = new Service({ command, probe: () => connectTo(nginxPort) });
  const all = [nginx, ...apis, ...runners, eventStore];
  const close = async () => {
    for (const service of all) await service.end('SIGTERM');
    await Promise.all([database.drop(), logDatabase.drop()]);
    rmSync(dirname(configuration), { recursive: true, force: true });
  };
  try {
    await eventStore.start();
    await runToEnd(commandOf('migrations'), stores);
    for (const service of [...runners, ...apis, nginx]) await service.start();
  } catch (error) {
    await close();
    throw error;
  }
  /** Addresses of the nodes, past nginx. */
  const nodeUrls = nodes.map((node) => `http://${node}`);
  return { url: `http://127.0.0.1:${nginxPort}`, nodeUrls, stores, eventStore, apis, runners, close };
}

/** The image's own command, and for the health check the one of docker-compose.yml, both with another port. */
function apiService(port: number, env: Record<string, string>): Service {
  const healthCheck = composeFile('docker-compose.yml').services['api-1']?.healthcheck?.test ?? [];
  const check = healthCheck.slice(1).map((word) => word.replace('127.0.0.1:3000', `127.0.0.1:${port}`));
  const command = JSON.parse(/^CMD (.*)$/m.exec(textOf('deploy/Dockerfile'))?.[1] ?? '');
  return new Service({
    command,
    env: {
      ...env,
      PORT: String(port),
      SESSION_SECRET: 'a secret that only tests know',
      ADMIN_PASSWORD,
      TRUST_PROXY: 'loopback, uniquelocal',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
    },
    probe: () => runToEnd(check, {}),
  });
}

function commandOf(service: string): string[] {
  const command = composeFile('docker-compose.yml').services[service]?.command;
  if (command === undefined) throw new Error(`docker-compose.yml has no command for ${service}`);
  return command;
}

/** Rejects when nothing listens on the port. */
async function connectTo(port: number): Promise<void> {
  const socket = createConnection(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
}
