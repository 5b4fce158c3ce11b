import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bodyOf, pathOf } from '../../pages/http-server.js';

const page = (status: number, title: string) => ({ status, type: 'text/html', body: `<html><h1>${title}</h1></html>` });
const json = (status: number, body: string) => ({ status, type: 'application/json', body });

/** The response that each kind of fault sends, and executes nothing. */
const RESPONSES = {
  'rate-limited': page(429, '429 Too Many Requests'),
  'server-error': json(
    500,
    '{"status":false,"statusCode":500,"code":"INTERNAL_ERROR","message":"Internal server error"}',
  ),
  // The real gateway lists payouts only to addresses that it knows.
  denied: json(403, '{"status":false,"statusCode":403,"code":"INVALID_IP","message":"Access denied"}'),
  html: page(502, '502 Bad Gateway'),
  malformed: json(200, '{"payment_id":58000'),
  'wrong-shape': json(200, '{"message":"OK"}'),
};

interface Fault {
  /** `error-afterwards` executes the request and responds with 500, `no-response` never responds; `reset` executes nothing. */
  kind: keyof typeof RESPONSES | 'no-response' | 'error-afterwards' | 'reset';
  /** Number of requests that the fault affects. */
  times: number;
  /** Beginning of the affected requests, such as `POST /v1/invoice`; empty for every API request. */
  on: string;
}

/** Logs the API's requests, and applies to each the first pending fault that matches it. */
export function serveFaults(app: FastifyInstance): void {
  let latencyMs = 0;
  let pending: Fault[] = [];
  const requests: { method: string; path: string }[] = [];
  const executed = new WeakMap<FastifyRequest, 'no-response' | 'error-afterwards'>();
  app.addHook('onRequest', async (request, reply) => {
    const { method, url } = request;
    if (!url.startsWith('/v1/')) return undefined;
    requests.push({ method, path: pathOf(request) });
    if (latencyMs > 0) await sleep(latencyMs, undefined, { ref: false });
    const fault = pending.find(({ on }) => `${method} ${url}`.startsWith(on));
    if (fault === undefined) return undefined;
    fault.times--;
    pending = pending.filter(({ times }) => times > 0);
    if (fault.kind === 'no-response' || fault.kind === 'error-afterwards') {
      executed.set(request, fault.kind);
      return undefined;
    }
    if (fault.kind === 'reset') {
      reply.hijack();
      request.raw.socket.resetAndDestroy();
      return reply;
    }
    const { status, type, body } = RESPONSES[fault.kind];
    return reply.code(status).type(type).send(body);
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const kind = executed.get(request);
    if (kind === undefined) return payload;
    if (kind === 'no-response') await new Promise(() => undefined);
    reply.code(500);
    return RESPONSES['server-error'].body;
  });
  app.get('/_stand-in/requests', () => requests);
  app.post('/_stand-in/faults', (request) => {
    const { kind, times = 1, on = '', ...latency } = bodyOf(request) as Partial<Fault> & { latencyMs?: number };
    latencyMs = latency.latencyMs ?? latencyMs;
    if (kind !== undefined) pending.push({ kind, times, on });
    return {};
  });
  app.delete('/_stand-in/faults', () => {
    latencyMs = 0;
    pending = [];
    return {};
  });
}
