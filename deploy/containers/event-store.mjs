/**
 * EventStoreDB's place in docker-compose.yml: the embedded event store with the container's EVENTSTORE_… settings. One port
 * serves gRPC and the two addresses of the HTTP API that the deployment calls: the health check, and the creation of users.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { connect, createServer } from 'node:tls';
import { status } from '@grpc/grpc-js';
import { startEventStore } from '/app/dist/embedded/event-store/start-event-store.js';
import { GrpcError } from '/app/dist/embedded/event-store/wire/grpc-server.js';

const FOLDER = '/var/lib/eventstore';
const DATA = `${FOLDER}/postgres`;
const USERS_FILE = `${FOLDER}/users.json`;
const {
  EVENTSTORE_CERTIFICATE_FILE,
  EVENTSTORE_CERTIFICATE_PRIVATE_KEY_FILE,
  EVENTSTORE_DEFAULT_ADMIN_PASSWORD: adminPassword,
} = process.env;

const users = existsSync(USERS_FILE)
  ? JSON.parse(readFileSync(USERS_FILE, 'utf8'))
  : { admin: { password: adminPassword, groups: ['$admins'] } };
const tls = {
  cert: readFileSync(EVENTSTORE_CERTIFICATE_FILE),
  key: readFileSync(EVENTSTORE_CERTIFICATE_PRIVATE_KEY_FILE),
};

if (!existsSync(`${DATA}/PG_VERSION`))
  execFileSync('initdb', [`--pgdata=${DATA}`, '--username=log', '--auth=trust', '--encoding=UTF8', '--locale=C']);
const postgres = spawn('postgres', ['-D', DATA, '-k', '/tmp', '-c', 'listen_addresses=127.0.0.1'], {
  stdio: 'inherit',
});
postgres.on('exit', () => process.exit(1));
const isReady = () => {
  try {
    execFileSync('pg_isready', ['--host=127.0.0.1'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
while (!isReady()) await new Promise((resolve) => setTimeout(resolve, 50));
const databaseUrl = 'postgres://log@127.0.0.1/postgres';

const credentialsOf = ({ authorization }) => atob(authorization?.replace(/^Basic /i, '') ?? '').split(':');
/** Every user with the right password may do all: the rights are tried by deploy/event-store-users.int.spec.ts. */
const authorize = () => async (call) => {
  const [login, password] = credentialsOf(call.headers);
  if (password === undefined || users[login]?.password !== password)
    throw new GrpcError(status.UNAUTHENTICATED, 'Access denied.');
};
const store = await startEventStore({ databaseUrl, secure: { tls, authorize }, onFailure: () => process.exit(1) });

const http = createHttpServer(async (request, response) => {
  if (request.url === '/health/live') return response.writeHead(204).end();
  const [login, password] = credentialsOf(request.headers);
  if (login !== 'admin' || password !== users.admin.password) return response.writeHead(401).end();
  const { LoginName, Groups, Password } = await json(request);
  if (users[LoginName]) return response.writeHead(409).end();
  users[LoginName] = { password: Password, groups: Groups };
  writeFileSync(USERS_FILE, JSON.stringify(users), { mode: 0o600 });
  response.writeHead(201).end();
});
/** gRPC clients offer HTTP/2 alone and are passed on to the event store's own port; the HTTP API has HTTP/1.1. */
const front = createServer(
  { ...tls, ALPNCallback: ({ protocols }) => (protocols.includes('http/1.1') ? 'http/1.1' : 'h2') },
  (socket) => {
    socket.on('error', () => socket.destroy());
    if (socket.alpnProtocol !== 'h2') return http.emit('connection', socket);
    const inner = connect({ port: store.port, host: '127.0.0.1', ALPNProtocols: ['h2'], rejectUnauthorized: false });
    inner.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('close', () => inner.destroy());
    socket.pipe(inner).pipe(socket);
  },
);
front.listen(2113, '0.0.0.0');
process.on('SIGTERM', () => postgres.kill('SIGINT'));
