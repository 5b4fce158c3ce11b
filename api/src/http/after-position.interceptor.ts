import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { catchError, from, mergeMap, type Observable, throwError } from 'rxjs';
import { AFTER_POSITION, POSITION } from '../../../contracts/http/headers.js';
import { READ_YOUR_WRITES_WAIT_MS } from '../../../contracts/limits.js';
import { ReadCheckpoint } from './checkpoint.queries.js';
import { Refused, Unavailable } from './refused.js';

const LOG_POSITION = /^\d{1,20}$/;
/** Undefined table, schema or column: the worker has not made it yet, or is of another version than this node. */
const NOT_MADE_YET = new Set(['42P01', '3F000', '42703']);

/**
 * Reads what one wrote: a query with `X-After-Position` waits until the tables have come that far, two seconds at most,
 * then is answered anyway. Every answer says how far the tables were, at least, when it was read (`X-Position`).
 */
@Injectable()
export class AfterPositionInterceptor implements NestInterceptor {
  constructor(private readonly checkpoint: ReadCheckpoint) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const after = http.getRequest<Request>().get(AFTER_POSITION);
    const answer = () => this.answer(http.getResponse<Response>(), next);
    if (after === undefined) return answer();
    if (!LOG_POSITION.test(after)) throw new Refused('invalid-position');
    return from(this.checkpoint.reached(after, READ_YOUR_WRITES_WAIT_MS)).pipe(mergeMap(answer));
  }

  private answer(response: Response, next: CallHandler): Observable<unknown> {
    const { position } = this.checkpoint;
    if (position !== null) response.setHeader(POSITION, position);
    response.setHeader('Cache-Control', 'no-store');
    return next.handle().pipe(catchError((error) => throwError(() => asUnavailable(error))));
  }
}

function asUnavailable(error: unknown): unknown {
  const isMissing = error instanceof Error && 'code' in error && NOT_MADE_YET.has(String(error.code));
  return isMissing ? new Unavailable(`the read models are not there: ${error.message}`, { cause: error }) : error;
}
