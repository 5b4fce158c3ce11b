import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { Refused } from '../platform/failures.js';
import { sendRefusal } from './refusal.filter.js';

/** Longer than a command waits for the log, shorter than the six seconds after which a client may stop waiting. */
const ANSWER_WITHIN_MS = 5_500;
/** Proofs and replays read as much of the log as they need; their queues limit them. */
const UNBOUNDED = /^\/api\/(?:audit\/|ledger\/events\/:\w+\/merkle-proof$)/;

/**
 * Answers 503 when nothing else has answered the request in time, for example because a connection to Postgres is half open.
 * A command may still be appended afterwards; the client tries again with the same idempotency key.
 */
export function answerInTime(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
  if (!UNBOUNDED.test(request.route)) {
    const timer = setTimeout(() => {
      if (!reply.sent) sendRefusal(reply, new Refused('unavailable'));
    }, ANSWER_WITHIN_MS);
    reply.raw.once('close', () => clearTimeout(timer));
  }
  done();
}
