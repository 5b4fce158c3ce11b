import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bodyOf, pathOf } from '../../pages/http-server.js';

const REQUESTS_LOGGED = 500;

const htmlPage = (title: string): string =>
  `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;

/** The response that each kind of fault sends, and executes nothing. */
const RESPONSES = {
  'rate-limited': { status: 429, type: 'text/html', body: htmlPage('429 Too Many Requests') },
  'server-error': {
    status: 500,
    type: 'application/json',
    body: '{"status":false,"statusCode":500,"code":"INTERNAL_ERROR","message":"Internal server error"}',
  },
  // The real gateway lists payouts only to addresses that it knows.
  denied: {
    status: 403,
    type: 'application/json',
    body: '{"status":false,"statusCode":403,"code":"INVALID_IP","message":"Access denied"}',
  },
  html: { status: 502, type: 'text/html', body: htmlPage('502 Bad Gateway') },
  malformed: { status: 200, type: 'application/json', body: '{"payment_id":58000' },
  'wrong-shape': { status: 200, type: 'application/json', body: '{"message":"OK"}' },
};

interface Fault {
  /**
   * `no-response` executes the request and never responds, `error-afterwards` executes it and responds with 500; `reset`
   * closes the connection and executes nothing.
   */
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
    if (requests.length > REQUESTS_LOGGED) requests.shift();
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
