import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { io } from 'socket.io-client';
import { SOCKET_PATH } from '../../contracts/live.js';
import type { Buyer } from './load.js';

export type FloodName = 'genealogy reads' | 'time:sync messages' | 'logins';

export interface FloodOrder {
  flood: FloodName;
  port: number;
  buyersFile: string;
  durationMs: number;
}

/** The flood's own address, behind the server's proxy. */
const HEADERS = { 'x-forwarded-for': '198.51.100.1', 'content-type': 'application/json' };
const READS_AT_ONCE = 1_000;
const LOGINS_AT_ONCE = 120;
const SOCKETS = 200;
const MESSAGES_PER_SECOND = 200;

/*
 * Floods the server as one gamer or from one address, in a process of its own. argv[2] is a FloodOrder as JSON. Prints the
 * number of answers by status, or of messages sent.
 */
const order = JSON.parse(process.argv[2] as string) as FloodOrder;
const [gamer] = JSON.parse(await readFile(order.buyersFile, 'utf8')) as [Buyer];
const endMs = performance.now() + order.durationMs;
const counts: Record<string, number> = {};
const count = (what: string | number) => {
  counts[what] = (counts[what] ?? 0) + 1;
};
const floods: Record<FloodName, () => Promise<unknown>> = {
  'genealogy reads': () =>
    eachSecond(READS_AT_ONCE, 'GET', `/api/genealogy/${gamer.gamerId}`, { ...HEADERS, cookie: gamer.cookie }),
  logins: () =>
    eachSecond(LOGINS_AT_ONCE, 'POST', '/api/login', HEADERS, { username: 'admin', password: 'a wrong pass phrase' }),
  'time:sync messages': () => Promise.all(Array.from({ length: SOCKETS }, floodBySocket)),
};
await floods[order.flood]();
console.log(JSON.stringify(counts));
process.exit();

/** Sends `atOnce` requests in parallel, and again when all are answered, at most once a second. */
async function eachSecond(atOnce: number, method: string, path: string, headers: object, body?: object): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const send = () =>
    new Promise<void>((resolve) => {
      const sent = request({ port: order.port, method, path, agent, headers: { ...headers } }, (response) => {
        count(response.statusCode as number);
        response.resume().on('end', resolve);
      });
      sent.on('error', () => {
        count('broken');
        resolve();
      });
      sent.end(body && JSON.stringify(body));
    });
  while (performance.now() < endMs) await Promise.all([sleep(1_000), ...Array.from({ length: atOnce }, send)]);
}

async function floodBySocket(): Promise<void> {
  const url = `http://127.0.0.1:${order.port}`;
  const options = { path: SOCKET_PATH, transports: ['websocket'], forceNew: true };
  const socket = io(url, { ...options, extraHeaders: { origin: url, 'x-forwarded-for': '198.51.100.1' } });
  socket.on('connect_error', () => count('not connected'));
  while (performance.now() < endMs) {
    await sleep(50);
    if (!socket.connected) continue;
    for (let sent = 0; sent < MESSAGES_PER_SECOND / 20; sent += 1) {
      socket.emit('time:sync', () => count('answered'));
      count('sent');
    }
  }
  socket.disconnect();
}
