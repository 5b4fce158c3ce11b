import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerQuestions, sharedClockMs } from './forked.js';

export interface WatchOptions {
  port: number;
  path: string;
  sockets: number;
  /** The server speaks Socket.IO; otherwise plain WebSocket. */
  isSocketIo: boolean;
}

/** The messages that the sockets received since `begin`. */
export interface WatchReport {
  bytes: number;
  /** Times of each purchase's first message at the sampled sockets, on the shared clock; null without one. */
  arrivals: Record<string, (number | null)[]>;
  sampled: number;
}

const SAMPLED_EVERY = 10;
const CONNECT_AT_ONCE = 50;
const PONG_EVERY_MS = 15_000;
/** Masked text frames of a client, with a mask of zeros. */
const CONNECT_PACKET = Buffer.from([0x81, 0x82, 0, 0, 0, 0, ...Buffer.from('40')]);
const PONG_PACKET = Buffer.from([0x81, 0x81, 0, 0, 0, 0, ...Buffer.from('3')]);
const PURCHASE_ID = /"purchaseId":"([^"]+)"/g;
/** An id may be cut by the end of a read. */
const KEPT_CHARACTERS = 100;

/*
 * Sockets that watch a server, in a process of their own. Every tenth one searches the bytes for purchases: to parse frames would
 * take CPU from the measured server. Answers `begin`, `end` and `return`, with which a tenth drops and returns at once.
 */
const options = JSON.parse(process.argv[2] as string) as WatchOptions;
let bytes = 0;
let arrivals: WatchReport['arrivals'] = {};
let sampledCount = 0;
const sockets: Socket[] = [];
while (sockets.length < options.sockets) {
  const some = Math.min(CONNECT_AT_ONCE, options.sockets - sockets.length);
  const opened = Array.from({ length: some }, (_, index) => open((sockets.length + index) % SAMPLED_EVERY === 0));
  sockets.push(...(await Promise.all(opened)));
}
// An early pong also keeps the server from asking for one.
if (options.isSocketIo) setInterval(sendPongs, PONG_EVERY_MS);
// Wait until the messages of the connections have arrived.
await sleep(500);
answerQuestions('ready', async (question) => {
  if (question === 'return') return dropAndReturn();
  const report: WatchReport = { bytes, arrivals, sampled: sampledCount };
  bytes = 0;
  arrivals = {};
  return question === 'end' ? report : null;
});

function sendPongs(): void {
  for (const socket of sockets) socket.write(PONG_PACKET);
}

async function dropAndReturn(): Promise<number> {
  const fromMs = performance.now();
  const returning = sockets.map(async (socket, index) => {
    if (index % SAMPLED_EVERY !== 1) return;
    socket.removeAllListeners('close').destroy();
    sockets[index] = await open(false);
  });
  await Promise.all(returning);
  return performance.now() - fromMs;
}

async function open(isSampled: boolean): Promise<Socket> {
  const socket = connect({ port: options.port, host: '127.0.0.1', noDelay: true });
  const host = `127.0.0.1:${options.port}`;
  const key = 'dGhlIHNhbXBsZSBub25jZQ==';
  const head = `GET ${options.path} HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nConnection: Upgrade\r\nUpgrade: websocket`;
  socket.write(`${head}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`);
  await received(socket, options.isSocketIo ? '0{"sid"' : '101 Switching');
  if (options.isSocketIo) {
    socket.write(CONNECT_PACKET);
    await received(socket, '["state:update"');
  }
  socket.on('close', () => {
    console.error('a server closed a watcher');
    process.exit(1);
  });
  socket.on('data', isSampled ? sampled() : (chunk: Buffer) => (bytes += chunk.length));
  return socket;
}

async function received(socket: Socket, text: string): Promise<void> {
  let all = '';
  await new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      all += chunk.toString('latin1');
      if (!all.includes(text)) return;
      socket.off('data', listen);
      resolve();
    };
    socket.on('data', listen).once('error', reject);
  });
}

function sampled(): (chunk: Buffer) => void {
  const slot = sampledCount;
  sampledCount += 1;
  let rest = '';
  let seen = new Set<string>();
  return (chunk) => {
    const atMs = sharedClockMs();
    bytes += chunk.length;
    const text = rest + chunk.toString('latin1');
    for (const [, id] of text.matchAll(PURCHASE_ID)) {
      if (seen.has(id as string)) continue;
      seen.add(id as string);
      arrivals[id as string] ??= [];
      (arrivals[id as string] as number[])[slot] = atMs;
    }
    rest = text.slice(-KEPT_CHARACTERS);
    if (seen.size > 10_000) seen = new Set([...seen].slice(-1_000));
  };
}
