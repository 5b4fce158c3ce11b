import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { catchError, type Observable } from 'rxjs';
import { EntityManager, Raw } from 'typeorm';
import { ActivityRow } from '../../../../projections/src/views/tables.entity.js';
import { Refused } from '../../platform/failures.js';
import { GamerNames } from './gamers.queries.js';

/** Names in the refusal `changed-meanwhile` who changed the record. */
@Injectable()
export class NamesWhoChanged implements NestInterceptor {
  constructor(
    private readonly tables: EntityManager,
    private readonly names: GamerNames,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      catchError(async (error) => {
        if (!(error instanceof Refused) || error.refusal.code !== 'changed-meanwhile') throw error;
        const actorId = error.refusal.parameters.by ?? (await this.changerIn(context.switchToHttp().getRequest()));
        const nameOf = await this.names.of(actorId ? [actorId] : []);
        const by = actorId ? nameOf(actorId) : 'Somebody';
        throw new Refused({ code: 'changed-meanwhile', parameters: { by } });
      }),
    );
  }

  /** The ledger's state does not tell who set the timers or a withdrawal; the admins' activity log does. */
  private async changerIn({ params }: { params: { id?: string } }) {
    const event = Raw(
      (column) =>
        params.id === undefined
          ? `${column} ->> 'type' = 'TimersChanged'`
          : `${column} -> 'data' ->> 'withdrawalId' = :id`,
      params,
    );
    return (await this.tables.findOne(ActivityRow, { where: { event }, order: { position: 'DESC' } }))?.actorId;
  }
}
