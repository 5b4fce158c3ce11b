import type { FastifyInstance, onResponseHookHandler } from 'fastify';
import { Histogram, type Registry } from 'prom-client';
import { IDEMPOTENCY_KEY } from '../../../contracts/http/headers.js';
import type { Span, Tracing } from '../../../event-log/tracing.js';

/** Measures request durations by the route's pattern: an id in a path must not create its own time series. */
export function requestMetrics(registry: Registry): onResponseHookHandler {
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  return (request, reply, done) => {
    const labels = { method: request.method, route: request.route, status: String(reply.statusCode) };
    seconds.observe(labels, reply.elapsedTime / 1000);
    done();
  };
}

/** A key as browsers make it at the click: 32 hexadecimal digits, which then are the trace's id. */
const KEY_AS_TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;

/**
 * Traces the requests that change something. The trace is that of the header `traceparent`, or begins at the click: its id is
 * the idempotency key, so that a command's retries are one trace, also on several nodes.
 */
export function traceRequests(fastify: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<object, Span>();
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const { traceparent } = request.headers;
      const key = String(request.headers[IDEMPOTENCY_KEY.toLowerCase()]);
      const span = tracing.request(
        `${request.method} ${request.route}`,
        typeof traceparent === 'string' ? traceparent : undefined,
        KEY_AS_TRACE_ID.test(key) ? key : undefined,
      );
      spans.set(request, span);
      request.traceparent = span.traceparent;
    }
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    spans.get(request)?.end({ 'http.response.status_code': reply.statusCode });
    done();
  });
}
