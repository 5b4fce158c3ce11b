import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { UnreadableEvent } from '../../../contracts/events/schemas.js';
import type { ErrorBody } from '../../../contracts/http/headers.js';
import { refusalStatus } from '../../../contracts/refusals.js';
import { LogUnavailable, UnknownOutcome } from '../../../event-log/event-log.types.js';
import { InvalidRequest, Refused, Unavailable } from '../platform/failures.js';

const RETRY_AFTER_SECONDS = 1;

interface Failure {
  status: number;
  body: ErrorBody;
  retryAfterSeconds?: number;
}

/** Answers every failure with `{ error, code }`. An unexpected error is logged with its stack; the answer hides it. */
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
    if (exception instanceof InvalidRequest) {
      return { status: 400, body: { error: exception.message, code: exception.code } };
    }
    if (exception instanceof HttpException) return thrownByNest(exception);
    if (isOutage(exception)) {
      this.logger.warn(`unavailable: ${exception.message}`);
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
  if ('parameters' in refusal && 'retryAfterSeconds' in refusal.parameters) {
    failure.retryAfterSeconds = refusal.parameters.retryAfterSeconds;
  }
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

/**
 * Postgres: the connection classes 08 and 57P, a statement or a lock that took too long, too many connections, and an
 * undefined table, which the worker is still creating. Sockets: refused, reset, timed out.
 */
const OUTAGE_CODES =
  /^(08...|57P0.|57014|55P03|53300|42P01|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND)$/;
const OUTAGE_MESSAGES =
  /timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered a connection error/;

function isOutage(exception: unknown): exception is Error {
  if (!(exception instanceof Error)) return false;
  if (exception instanceof Unavailable || exception instanceof LogUnavailable) return true;
  if (exception instanceof UnknownOutcome || exception instanceof UnreadableEvent) return true;
  return ('code' in exception && OUTAGE_CODES.test(String(exception.code))) || OUTAGE_MESSAGES.test(exception.message);
}
