import type { onResponseHookHandler } from 'fastify';
import { Histogram, type Registry } from 'prom-client';

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
