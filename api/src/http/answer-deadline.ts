import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { Refused } from '../platform/failures.js';
import { sendRefusal } from './refusal.filter.js';

/** Longer than a command waits for the log (5 s), shorter than the 10 s after which the page sends it again. */
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
