import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { catchError, type Observable } from 'rxjs';
import { Refused } from '../../platform/failures.js';
import { GamerTags } from './gamers.queries.js';

/** Adds to the refusal `changed-meanwhile` the GamerTag of the person who changed the record, where it is known. */
@Injectable()
export class ChangedByInterceptor implements NestInterceptor {
  constructor(private readonly tags: GamerTags) {}

  intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      catchError(async (error) => {
        if (!(error instanceof Refused) || error.refusal.code !== 'changed-meanwhile') throw error;
        const actorId = error.refusal.parameters.by;
        if (!actorId) throw error;
        const tagOf = await this.tags.of([actorId]);
        throw new Refused({ code: 'changed-meanwhile', parameters: { by: tagOf(actorId) } });
      }),
    );
  }
}
