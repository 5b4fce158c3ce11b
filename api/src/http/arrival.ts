import type { IncomingMessage, Server } from 'node:http';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { Refused } from '../platform/failures.js';
import { sendRefusal } from './refusal.filter.js';

/** Epoch ms by request. */
const arrivals = new WeakMap<IncomingMessage, number>();

/**
 * Records when each request's head arrives, before session, validation or any lookup (decision 41). A body that comes
 * later counts from its end: else a gamer could hold it back and decide after zero whether to buy.
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

export function arrivalOf(request: IncomingMessage): number {
  const arrival = arrivals.get(request);
  if (arrival === undefined) throw new Error('the arrival of this request was not recorded');
  return arrival;
}

/** Longer than a command waits for the log, shorter than the six seconds after which a client may stop waiting. */
const ANSWER_WITHIN_MS = 5_500;
/** Audits read as much of the log as they need. */
const UNBOUNDED = '/api/audit/';

/** Answers 503 when a request takes too long. Its command may still be appended; the client retries with its key. */
export function answerInTime(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
  if (!request.route.startsWith(UNBOUNDED)) {
    const timer = setTimeout(() => {
      if (!reply.sent) sendRefusal(reply, new Refused('unavailable'));
    }, ANSWER_WITHIN_MS);
    reply.raw.once('close', () => clearTimeout(timer));
  }
  done();
}
