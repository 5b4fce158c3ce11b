import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { EventLog } from '../../event-log/event-log.js';
import { disablePretenuring } from '../../event-log/startup.js';
import { openLedger } from '../commands.bench.js';
import { scenarioOf } from '../scenario.js';

/* The floor of a purchase over HTTP: no sessions, checks, limits, log. PORT, EVENT_STORE_URL, BENCH_BUYERS. */
disablePretenuring();
const scenario = scenarioOf('admin0000000', Number(process.env.BENCH_BUYERS));
const log = new EventLog(process.env.EVENT_STORE_URL as string);
const ledger = await openLedger(log, scenario);

async function buy(body: string, receivedAtMs: number): Promise<string> {
  const { quantity, userId } = JSON.parse(body) as { quantity: number; userId: string };
  const { events, revision } = await ledger.execute(
    { type: 'BuyTokens', buyerId: userId, quantity },
    { actor: { id: userId, role: 'gamer' }, commandId: randomUUID(), receivedAtMs },
  );
  return JSON.stringify({ success: true, ...events[0]?.event.data, revision });
}

function serve(request: IncomingMessage, response: ServerResponse): void {
  const receivedAtMs = Date.now();
  const chunks: Buffer[] = [];
  const send = (status: number, text: string) =>
    response
      .writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
      .end(text);
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    buy(Buffer.concat(chunks).toString(), receivedAtMs).then(
      (text) => send(200, text),
      (error: Error) => send(500, JSON.stringify({ error: error.message })),
    );
  });
}

createServer(serve).listen(Number(process.env.PORT), '127.0.0.1', () => console.log(JSON.stringify({ ready: true })));
