import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { POSITION } from '../../../contracts/http/headers.js';

/** A command's answer together with the log position of its last event. */
export class WithPosition<T> {
  constructor(
    readonly position: string,
    readonly body: T,
  ) {}
}

export const withPosition = <T>(position: string, body: T): WithPosition<T> => new WithPosition(position, body);

/** Sends the position of a command's last event as `X-Position`, so that the client's next queries can wait for it. */
@Injectable()
export class PositionInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      map((answer: unknown) => {
        if (!(answer instanceof WithPosition)) return answer;
        context.switchToHttp().getResponse<Response>().setHeader(POSITION, answer.position);
        return answer.body;
      }),
    );
  }
}
