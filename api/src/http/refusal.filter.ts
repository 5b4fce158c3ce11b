import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Response } from 'express';
import type { ErrorBody } from '../../../contracts/http/headers.js';
import { refusalStatus, refusalText } from '../../../contracts/messages.js';
import { LogUnavailable, UnknownOutcome } from '../../../event-log/event-log.types.js';
import { Refused, Unavailable } from './refused.js';

const UNEXPECTED = 'Something went wrong. Please try again.';
const RETRY_AFTER_SECONDS = 1;

interface Failure {
  status: number;
  text: string;
  retryAfterSeconds?: number;
}

/** Every failure over HTTP is `{ error: text }`. What nobody expected is logged with its stack and told to no one. */
@Catch()
export class RefusalFilter implements ExceptionFilter {
  private readonly logger = new Logger('http');

  catch(exception: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    const failure = this.failureOf(exception);
    if (response.headersSent) {
      // Half an answer cannot be taken back; a broken connection at least does not look like a whole one.
      response.destroy();
      return;
    }
    if (failure.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(failure.retryAfterSeconds));
    const body: ErrorBody = { error: failure.text };
    response.status(failure.status).json(body);
  }

  private failureOf(exception: unknown): Failure {
    if (exception instanceof Refused) return refused(exception);
    if (exception instanceof HttpException) return { status: exception.getStatus(), text: textOf(exception) };
    if (isOutage(exception)) {
      this.logger.warn(`unavailable: ${exception.message}`);
      return { status: 503, text: refusalText({ code: 'unavailable' }), retryAfterSeconds: RETRY_AFTER_SECONDS };
    }
    this.logger.error(exception instanceof Error ? exception.stack : exception);
    return { status: 500, text: UNEXPECTED };
  }
}

function refused({ refusal, message }: Refused): Failure {
  const failure: Failure = { status: refusalStatus(refusal.code), text: message };
  if ('parameters' in refusal && 'retryAfterSeconds' in refusal.parameters) {
    failure.retryAfterSeconds = refusal.parameters.retryAfterSeconds;
  }
  if (failure.status === 503) failure.retryAfterSeconds = RETRY_AFTER_SECONDS;
  return failure;
}

function textOf(exception: HttpException): string {
  // Nest's own text names the path asked for; ours does not echo what was sent.
  if (exception.getStatus() === 404) return refusalText({ code: 'not-found' });
  const body = exception.getResponse();
  if (typeof body === 'object' && 'error' in body && !('statusCode' in body)) return String(body.error);
  return exception.message;
}

/**
 * Postgres: the connection classes 08 and 57P, too many connections, and a table that is not there: the worker is still
 * building a read model that is new. Sockets: refused, reset, timed out.
 */
const OUTAGE_CODES = /^(08...|57P0.|53300|42P01|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND)$/;
const OUTAGE_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error/;

function isOutage(exception: unknown): exception is Error {
  if (!(exception instanceof Error)) return false;
  if (exception instanceof Unavailable || exception instanceof LogUnavailable || exception instanceof UnknownOutcome) {
    return true;
  }
  return ('code' in exception && OUTAGE_CODES.test(String(exception.code))) || OUTAGE_MESSAGES.test(exception.message);
}
