import type { IncomingMessage, Server } from 'node:http';

/** Epoch ms by request. */
const arrivals = new WeakMap<IncomingMessage, number>();

/**
 * Records when each request arrives: when its head reaches the HTTP server, before session, validation or any lookup
 * (decision 41). A body that did not come together with the head counts from its end: a gamer who sent a head before zero
 * and held the body back could otherwise decide after zero whether to buy.
 */
export function recordArrivals(server: Server, now: () => number): void {
  server.prependListener('request', (request: IncomingMessage) => {
    arrivals.set(request, now());
    // By then the parser has read all bytes that came with the head.
    setImmediate(() => {
      if (!request.complete) request.once('end', () => arrivals.set(request, now()));
    });
  });
}

/** When the request arrived, epoch ms. */
export function arrivalOf(request: IncomingMessage): number {
  const arrival = arrivals.get(request);
  if (arrival === undefined) throw new Error('the arrival of this request was not recorded');
  return arrival;
}
