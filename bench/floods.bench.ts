import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import { SOCKET_PATH } from '../contracts/live.js';
import { builtFile } from '../embedded/launcher/built-files.js';
import { startProcess } from '../embedded/launcher/supervised-process.js';
import { BUY_PATH, runLoad, startBenchApi } from './http/bench-api.js';
import type { Buyer } from './http/load.js';
import { heading, say, sayMeasured } from './report.js';
import type { Stores } from './stores.js';

const LOGIN_EVERY_MS = 25;
const PURCHASES = { connections: 10, perSecond: 50, warmUpMs: 1_000, durationMs: 5_000 };

/** Purchases during a flood: 1,000 reads of one gamer at once, 40 logins a second, 500 socket messages at once. */
export async function benchFloods(stores: Stores): Promise<void> {
  heading('Purchases during a flood of reads, logins and socket messages');
  const settings = { LOG_LEVEL: 'silent', TRUST_PROXY: '1' };
  const { port, env, buyersFile, stop } = await startBenchApi(stores, 'floods', settings);
  const [url, logFile] = [`http://127.0.0.1:${port}`, join(stores.folder, 'projections.log')];
  const script = builtFile('projections/src/main.js');
  const worker = await startProcess({ name: 'projections', script, env, logFile, notify: console.error });
  const buyers = JSON.parse(await readFile(buyersFile, 'utf8')) as Buyer[];
  const buy = () => runLoad({ port, path: BUY_PATH, buyersFile, ...PURCHASES });
  try {
    await buy();
    for (const { gamerId, cookie } of buyers.slice(0, 3)) {
      sayMeasured('alone', await buy());
      const sockets = await Promise.all(times(10, () => connect(url)));
      const bought = buy();
      const logins = times(PURCHASES.durationMs / LOGIN_EVERY_MS, (index) => logIn(url, index));
      await sleep(PURCHASES.warmUpMs);
      const reads = times(1_000, () => fetch(`${url}/api/genealogy/${gamerId}`, { headers: { cookie } }));
      const messages = sockets.flatMap((socket) => times(50, () => socket.timeout(5_000).emitWithAck('time:sync')));
      const { refused, ...measured } = await bought;
      sayMeasured('during the flood; aim: p99 300 ms', measured);
      say(`  refused purchases: ${refused}; reads ${await statusesOf(reads)}; logins ${await statusesOf(logins)}`);
      const answered = (await Promise.allSettled(messages)).filter(({ status }) => status === 'fulfilled');
      say(`  answered messages: ${answered.length} of ${messages.length}\n`);
      for (const socket of sockets) socket.close();
    }
  } finally {
    await worker.stop();
    await stop();
  }
}

const times = <T>(count: number, run: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => run(index));

/** An unknown gamer's login costs as much as others. Each comes from an address of its own. */
async function logIn(url: string, index: number): Promise<Response> {
  await sleep(index * LOGIN_EVERY_MS);
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${index}` };
  const body = JSON.stringify({ username: `nobody-${index}`, password: 'a wrong password' });
  return fetch(`${url}/api/login`, { method: 'POST', headers, body });
}

async function connect(url: string): Promise<Socket> {
  const socket = io(url, { path: SOCKET_PATH, extraHeaders: { origin: url }, forceNew: true });
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  return socket;
}

/** How many answers had each status. The server's system may reset connections that come faster than it accepts them. */
async function statusesOf(requests: Promise<Response>[]): Promise<string> {
  const counts: Record<string, number> = {};
  for (const settled of await Promise.allSettled(requests)) {
    const status = settled.status === 'fulfilled' ? settled.value.status : 'no answer';
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return JSON.stringify(counts);
}
