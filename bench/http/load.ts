import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { closedLoop, type Measurement, measurementOf } from '../closed-loop.js';

export interface Buyer {
  gamerId: string;
  /** The `Cookie` header of the buyer's session. */
  cookie: string;
}

export interface LoadOptions {
  port: number;
  path: string;
  buyersFile: string;
  connections: number;
  warmUpMs: number;
  durationMs: number;
  /** Sends at this rate (an open loop) in place of a closed loop on each connection. */
  perSecond?: number;
}

/** `refused`: the responses other than 200, which count as responses in the other figures. */
export interface LoadMeasurement extends Measurement {
  refused: number;
}

/*
 * The load generator, in its own process. It writes requests and splits responses by hand, because an HTTP client would take CPU
 * from the measured server. argv[2] is LoadOptions as JSON; prints a LoadMeasurement as JSON.
 */
const options = JSON.parse(process.argv[2] as string) as LoadOptions;
const buyers = JSON.parse(await readFile(options.buyersFile, 'utf8')) as Buyer[];
const requests = buyers.map(({ gamerId, cookie }) => {
  const body = JSON.stringify({ quantity: 1, userId: gamerId });
  const head = [
    `POST ${options.path} HTTP/1.1`,
    `Host: 127.0.0.1:${options.port}`,
    `Cookie: ${cookie}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
});

const connections = await Promise.all(Array.from({ length: options.connections }, () => openConnection(options.port)));
let sent = 0;
let refused = 0;
const measured =
  options.perSecond === undefined
    ? await closedLoop({ ...options, buyers: options.connections, buy })
    : await openLoop(options, options.perSecond);
console.log(JSON.stringify({ ...measured, refused } satisfies LoadMeasurement));
process.exit();

async function buy(connection: number): Promise<void> {
  const request = requests[sent % requests.length] as string;
  sent += 1;
  const status = await (connections[connection] as Send)(request);
  if (status !== 200) refused += 1;
}

/** Sends at a steady rate, whatever the responses take; each wait counts from the time at which the request was due. */
async function openLoop({ connections, warmUpMs, durationMs }: LoadOptions, perSecond: number): Promise<Measurement> {
  const startMs = performance.now();
  const tookMs: number[] = [];
  const sending: Promise<void>[] = [];
  const count = Math.round(((warmUpMs + durationMs) / 1_000) * perSecond);
  for (let index = 0; index < count; index += 1) {
    const dueMs = startMs + (index * 1_000) / perSecond;
    await sleep(Math.max(0, dueMs - performance.now()));
    const bought = buy(index % connections).then(() => {
      if (dueMs - startMs >= warmUpMs) tookMs.push(performance.now() - dueMs);
    });
    sending.push(bought);
  }
  await Promise.all(sending);
  return measurementOf(tookMs, durationMs);
}

/** Resolves with the status of the response, after the responses to earlier requests. */
type Send = (request: string) => Promise<number>;

async function openConnection(port: number): Promise<Send> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  const waiting: ((status: number) => void)[] = [];
  let received = '';
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    received += text;
    for (let length = lengthOfResponse(received); length > 0; length = lengthOfResponse(received)) {
      waiting.shift()?.(Number(received.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)));
      received = received.slice(length);
    }
  });
  socket.on('close', () => {
    throw new Error('the server closed a connection');
  });
  return (request) =>
    new Promise((resolve) => {
      waiting.push(resolve);
      socket.write(request);
    });
}

/** The length of the first whole response, 0 before it is whole; every JSON response has its length. */
function lengthOfResponse(text: string): number {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return 0;
  const length = /\r\ncontent-length: (\d+)/i.exec(text);
  if (!length) throw new Error(`a response without a length: ${text.slice(0, headEnd)}`);
  const whole = headEnd + 4 + Number(length[1]);
  return text.length >= whole ? whole : 0;
}
