import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { exportLines } from '../../audit/cli/export.js';
import { verify } from '../../audit/replay/verify.js';
import type { PurchaseReceipt } from '../../contracts/http/game.js';
import { IDEMPOTENCY_KEY } from '../../contracts/http/headers.js';
import type { LedgerEventProof } from '../../contracts/http/receipts.js';
import { EventLog } from '../../event-log/event-log.js';
import { type Person, WholeApplication } from '../src/testing/whole-application.js';

interface SpanReceived {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  service: string;
}

interface OtlpRequest {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue: string } }[] };
    scopeSpans: { spans: Omit<SpanReceived, 'service'>[] }[];
  }[];
}

/** An OpenTelemetry collector: OTLP over HTTP, as JSON. */
class Collector {
  readonly spans: SpanReceived[] = [];
  private readonly server: Server = createServer(async (request, response) => {
    if (request.url === '/v1/traces') this.take((await json(request)) as OtlpRequest);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async ofTrace(traceId: string, count: number): Promise<SpanReceived[]> {
    for (;;) {
      const found = this.spans.filter((span) => span.traceId === traceId);
      if (found.length >= count) return found;
      await sleep(50);
    }
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private take({ resourceSpans }: OtlpRequest): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
      for (const { spans } of scopeSpans) this.spans.push(...spans.map((span) => ({ ...span, service })));
    }
  }
}

const collector = new Collector();
let application: WholeApplication;
let gamer: Person;
let log: EventLog;

beforeAll(async () => {
  application = await WholeApplication.start({ OTEL_EXPORTER_OTLP_ENDPOINT: await collector.start() });
  log = new EventLog(application.stores.eventStoreUrl);
  const admin = await application.admin();
  gamer = await application.register('traced');
  const money = { purchaseBalanceCents: 900, totalWinningsCents: 0, reason: 'play money' };
  await admin.visitor.post(`/api/admin/mini/gamers/${gamer.id}/adjust`, money);
  await admin.visitor.post('/api/admin/game/start-live');
});
afterAll(async () => {
  await log?.close();
  await application?.close();
  collector.close();
});

async function buy(headers: Record<string, string>): Promise<PurchaseReceipt> {
  const { status, body } = await gamer.visitor.post<PurchaseReceipt>(
    '/api/buy-from-balance',
    { quantity: 1, userId: gamer.id },
    headers,
  );
  expect(status).toBe(200);
  return body;
}

const NAMES = ['POST /api/buy-from-balance', 'ledger.append', 'ledger.execute', 'projections.commit', 'sockets.send'];

it('joins the spans of one purchase, from the click’s key through HTTP, ledger and tables to the sockets', async () => {
  const key = '4bf92f3577b34da6a3ce929d0e0e4736';
  await buy({ [IDEMPOTENCY_KEY]: key });
  const spans = await collector.ofTrace(key, NAMES.length);
  expect(spans.map(({ name }) => name).sort()).toEqual(NAMES);
  const request = spans.find(({ name }) => name === NAMES[0]);
  expect(request?.parentSpanId ?? '').toBe('');
  for (const span of spans) {
    if (span !== request) expect([span.name, span.parentSpanId]).toEqual([span.name, request?.spanId]);
    expect(span.service).toBe(span.name === 'projections.commit' ? 'projections' : 'api');
  }
});

it('continues the trace of a sender that has one', async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  await buy({ traceparent: `00-${traceId}-b7ad6b7169203331-01` });
  const spans = await collector.ofTrace(traceId, NAMES.length);
  expect(spans.find(({ name }) => name === NAMES[0])?.parentSpanId).toBe('b7ad6b7169203331');
});

it('leaves the proved log as it is: only the store has the trace', async () => {
  const { purchaseId } = await buy({ [IDEMPOTENCY_KEY]: 'not-a-trace-id' });
  let recorded: { id: string; revision: number; traceparent: string | undefined } | undefined;
  for await (const { id, revision, event, metadata } of log.readStream('ledger')) {
    if (event.type === 'TokenPurchased' && event.data.purchaseId === purchaseId)
      recorded = { id, revision, traceparent: metadata.traceparent };
  }
  expect(recorded?.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect((await verify(log, null)).findings).toEqual([]);
  for await (const line of exportLines(log, 'jsonl')) expect(line).not.toContain('traceparent');
  const proof = await application
    .visitor()
    .get<LedgerEventProof>(`/api/ledger/events/${recorded?.revision}?id=${recorded?.id}`);
  expect(proof.status).toBe(200);
  expect(proof.body.recorded.metadata).not.toHaveProperty('traceparent');
});
