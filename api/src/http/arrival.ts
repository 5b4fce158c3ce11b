import type { IncomingMessage, Server } from 'node:http';

/** Time of arrival of each request, epoch ms. */
const arrivals = new WeakMap<IncomingMessage, number>();

/** Records each request's arrival (decision 41). A late body counts from its end: it could be held back until after zero. */
export function recordArrivals(server: Server, now: () => number): void {
  server.prependListener('request', (request: IncomingMessage) => {
    arrivals.set(request, now());
    // By then the parser has read all bytes that came with the head.
    setImmediate(() => {
      if (!request.complete) request.once('end', () => arrivals.set(request, now()));
    });
  });
}

export function arrivalOf(request: IncomingMessage): number {
  const arrival = arrivals.get(request);
  if (arrival === undefined) throw new Error('the arrival of this request was not recorded');
  return arrival;
}
