import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { UnreadableEvent } from '../../../contracts/events/schemas.js';
import type { ErrorBody } from '../../../contracts/http/headers.js';
import { refusalStatus } from '../../../contracts/refusals.js';
import { isMissingRelation } from '../../../event-log/postgres.js';
import { InvalidRequest, isOutage, Refused } from '../platform/failures.js';

const RETRY_AFTER_SECONDS = 1;

/** Undefined column: the worker that makes the tables runs another version than this node. */
const lacksColumn = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '42703';

type Failure = { status: number; body: ErrorBody; retryAfterSeconds?: number };

/** Answers every failure with `{ error, code }`. An unexpected error is logged with its stack; the response hides it. */
@Catch()
export class RefusalFilter implements ExceptionFilter {
  private readonly logger = new Logger('http');

  catch(exception: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const failure = this.failureOf(exception);
    if (!reply.raw.headersSent) send(reply, failure);
    // Part of the response is sent already: a broken connection shows that it is incomplete.
    else if (!reply.raw.writableEnded) reply.raw.destroy();
  }

  private failureOf(exception: unknown): Failure {
    if (exception instanceof Refused) return refused(exception);
    if (exception instanceof InvalidRequest)
      return { status: 400, body: { error: exception.message, code: exception.code } };
    if (exception instanceof HttpException) return thrownByNest(exception);
    // An older node cannot read newer events; the worker may not have created or changed a table yet.
    if (
      isOutage(exception) ||
      exception instanceof UnreadableEvent ||
      isMissingRelation(exception) ||
      lacksColumn(exception)
    ) {
      this.logger.warn(`unavailable: ${(exception as Error).message}`);
      return refused(new Refused('unavailable'));
    }
    this.logger.error(exception instanceof Error ? exception.stack : exception);
    return refused(new Refused('unexpected'));
  }
}

export const sendRefusal = (reply: FastifyReply, refusal: Refused): void => send(reply, refused(refusal));

function send(reply: FastifyReply, { status, body, retryAfterSeconds }: Failure): void {
  if (retryAfterSeconds !== undefined) reply.header('Retry-After', retryAfterSeconds);
  // The failed handler may have chosen another type, for a file for example.
  reply.status(status).type('application/json').send(body);
}

function refused({ refusal, message }: Refused): Failure {
  const status = refusalStatus(refusal.code);
  const failure: Failure = { status, body: { error: message, code: refusal.code } };
  if ('late' in refusal && refusal.late) {
    const { receivedAtEpochMs, endedAtMs } = refusal.late;
    failure.body.lateMs = receivedAtEpochMs - endedAtMs;
    failure.body.signedRefusal = refusal.signedRefusal;
  }
  if ('parameters' in refusal && 'retryAfterSeconds' in refusal.parameters)
    failure.retryAfterSeconds = refusal.parameters.retryAfterSeconds;
  if (status === 503) failure.retryAfterSeconds = RETRY_AFTER_SECONDS;
  return failure;
}

/** An unknown route, or a request that Nest or Fastify cannot read. Their text for a 404 echoes the path; ours does not. */
function thrownByNest(exception: HttpException): Failure {
  const status = exception.getStatus();
  if (status === 404) return refused(new Refused('not-found'));
  if (status === 413) return refused(new Refused('request-too-large'));
  return { status, body: { error: exception.message, code: 'invalid-request' } };
}

/** A command waits for the log for less (5 s), and the page sends it again later (after 10 s). */
const RESPONSE_TIMEOUT_MS = 5_500;
/** Audits read as much of the log as they need. */
const UNBOUNDED = '/api/audit/';

/** Answers 503 when a request takes too long. Its command may still be appended; the client retries with its key. */
export function respondInTime(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
  if (!request.route.startsWith(UNBOUNDED)) {
    const timer = setTimeout(() => {
      if (!reply.sent) sendRefusal(reply, new Refused('unavailable'));
    }, RESPONSE_TIMEOUT_MS);
    reply.raw.once('close', () => clearTimeout(timer));
  }
  done();
}
