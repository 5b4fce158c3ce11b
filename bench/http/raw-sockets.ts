import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { answerQuestions, sharedClockMs } from './forked.js';

export interface RawOptions {
  perSecond: number;
  durationMs: number;
  bytes: number;
}

/** Time before each message was sent to the first socket, on the shared clock. */
export type SentTimesMs = Record<string, number>;

/* The sockets' floor: a bare `ws` server. Its first message is its port; the answer to RawOptions is SentTimesMs. */
const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
await once(server, 'listening');
let round = 0;
answerQuestions((server.address() as AddressInfo).port, async (question) => {
  const { perSecond, durationMs, bytes } = question as RawOptions;
  const sentAt: SentTimesMs = {};
  round += 1;
  const startedAtMonotonicMs = performance.now();
  const count = Math.round((durationMs / 1_000) * perSecond);
  for (let index = 0; index < count; index += 1) {
    await sleep(Math.max(0, startedAtMonotonicMs + (index * 1_000) / perSecond - performance.now()));
    const id = `raw-${round}-${index}`;
    const message = Buffer.from(`{"purchaseId":"${id}"}`.padEnd(bytes));
    sentAt[id] = sharedClockMs();
    for (const client of server.clients) client.send(message, { binary: false });
  }
  return sentAt;
});
