import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { closedLoop } from '../closed-loop.js';

export interface Buyer {
  gamerId: string;
  /** The `Cookie` header of the buyer's session. */
  cookie: string;
}

export interface LoadOrder {
  port: number;
  path: string;
  buyersFile: string;
  connections: number;
  warmUpMs: number;
  durationMs: number;
}

/*
 * The load generator, in its own process: keep-alive connections with one request in flight each; the buyers take turns.
 * It writes requests and splits answers by hand, because an HTTP client would take CPU from the measured server.
 * argv[2] is a LoadOrder as JSON. Prints the measured figures as JSON; fails on any answer other than 200.
 */
const order = JSON.parse(process.argv[2] as string) as LoadOrder;
const buyers = JSON.parse(await readFile(order.buyersFile, 'utf8')) as Buyer[];
const requests = buyers.map(({ gamerId, cookie }) => {
  const body = JSON.stringify({ quantity: 1, userId: gamerId });
  const head = [
    `POST ${order.path} HTTP/1.1`,
    `Host: 127.0.0.1:${order.port}`,
    `Cookie: ${cookie}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
});

const lines = await Promise.all(Array.from({ length: order.connections }, () => openLine(order.port)));
const turns = new Array<number>(order.connections).fill(0);
const measured = await closedLoop({
  buyers: order.connections,
  warmUpMs: order.warmUpMs,
  durationMs: order.durationMs,
  buy: (line) => {
    const turn = (turns[line] as number) * order.connections + line;
    turns[line] = (turns[line] as number) + 1;
    return (lines[line] as Line).send(requests[turn % requests.length] as string);
  },
});
for (const line of lines) line.close();
console.log(JSON.stringify(measured));

interface Line {
  send(request: string): Promise<void>;
  close(): void;
}

async function openLine(port: number): Promise<Line> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  let answered: { resolve(): void; reject(error: Error): void } | undefined;
  let received = '';
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    received += text;
    if (!isWhole(received)) return;
    const answer = received;
    received = '';
    if (answer.startsWith('HTTP/1.1 200 ')) answered?.resolve();
    else answered?.reject(new Error(answer));
  });
  socket.on('error', (error) => answered?.reject(error));
  socket.on('close', () => answered?.reject(new Error('the connection was closed')));
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        answered = { resolve, reject };
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

/** Whether the answer is complete; Express sends the length of every JSON answer. */
function isWhole(text: string): boolean {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(text);
  if (!length) throw new Error(`an answer without a length: ${text.slice(0, headEnd)}`);
  return text.length >= headEnd + 4 + Number(length[1]);
}
