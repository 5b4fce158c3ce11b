import * as nest from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest, preSerializationHookHandler } from 'fastify';
import type { Observable } from 'rxjs';
import { AFTER_POSITION, type MessageResponse, POSITION } from '../../../contracts/http/headers.js';
import { Refused } from '../platform/failures.js';
import { ReadCheckpoint, type Views } from './read-checkpoint.queries.js';

const LOG_POSITION = /^\d{1,20}$/;

/** A command's response, and the log position from which on its effects can be read. */
export class WithPosition<T> {
  constructor(
    readonly position: string,
    readonly body: T,
  ) {}
}

/** The usual response of a command: a sentence for the person who sent it. */
export const messageAt = (position: string, message: string) =>
  new WithPosition<MessageResponse>(position, { message });

/** Sends the position of a command's last event as `X-Position`, so that the client's next queries can wait for it. */
export const sendPosition: preSerializationHookHandler = (_request, reply, payload, done) => {
  if (!(payload instanceof WithPosition)) return done(null, payload);
  reply.header(POSITION, payload.position);
  done(null, payload.body);
};

const VIEWS = 'read models';

/** The request's `X-After-Position`; null without one. */
export function positionAfter(context: nest.ExecutionContext): string | null {
  const after = context.switchToHttp().getRequest<FastifyRequest>().headers[AFTER_POSITION.toLowerCase()];
  if (after === undefined) return null;
  if (typeof after !== 'string' || !LOG_POSITION.test(after)) throw new Refused('invalid-position');
  return after;
}

/** Read-your-writes: waits up to 2 s until the tables reach `X-After-Position`. `X-Position`: the position that they had. */
@nest.Injectable()
export class AfterPositionInterceptor implements nest.NestInterceptor {
  constructor(
    private readonly checkpoint: ReadCheckpoint,
    private readonly reflector: Reflector,
  ) {}

  async intercept(context: nest.ExecutionContext, next: nest.CallHandler): Promise<Observable<unknown>> {
    const after = positionAfter(context);
    const views = this.reflector.getAllAndOverride<Views>(VIEWS, [context.getHandler(), context.getClass()]);
    if (after !== null) await this.checkpoint.reached(after, views);
    const position = this.checkpoint.positionOf(views);
    if (position !== null) context.switchToHttp().getResponse<FastifyReply>().header(POSITION, position);
    return next.handle();
  }
}

/** A query or a controller that waits for `X-After-Position`, until these read models have it; without names, until all have. */
export const ReadsViews = (...views: string[]) =>
  nest.applyDecorators(
    nest.SetMetadata(VIEWS, views.length > 0 ? views : 'all'),
    nest.UseInterceptors(AfterPositionInterceptor),
  );
