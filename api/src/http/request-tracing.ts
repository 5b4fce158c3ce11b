import type { FastifyInstance } from 'fastify';
import { IDEMPOTENCY_KEY } from '../../../contracts/http/headers.js';
import type { Span, Tracing } from '../../../event-log/tracing.js';

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
