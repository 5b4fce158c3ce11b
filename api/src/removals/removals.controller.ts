import { Controller, Delete, Param, UseGuards, UseInterceptors } from '@nestjs/common';
import type { DeleteGamerResponse } from '../../../contracts/http/people.js';
import type { CommandId as Id } from '../../../contracts/ids.js';
import { AfterPositionInterceptor } from '../http/after-position.interceptor.js';
import { Clock } from '../http/clock.js';
import { CommandId } from '../http/command-id.js';
import { type WithPosition, withPosition } from '../http/position.interceptor.js';
import { AdminOnly, CurrentSession, type GamerOfSession } from '../http/session.js';
import { Removals } from './removals.js';

@Controller('api/admin/gamers')
@UseGuards(AdminOnly)
@UseInterceptors(AfterPositionInterceptor)
export class RemovalsController {
  constructor(
    private readonly removals: Removals,
    private readonly clock: Clock,
  ) {}

  /** Deletes a gamer for good; their children move up in the matrix. */
  @Delete(':id')
  async remove(
    @CurrentSession() { gamerId: actorId }: GamerOfSession,
    @CommandId() commandId: Id,
    @Param('id') id: string,
  ): Promise<WithPosition<DeleteGamerResponse>> {
    const now = new Date(this.clock.now());
    const { position, reassignedChildren } = await this.removals.remove(id, { actorId, commandId }, now);
    return withPosition(position, { message: 'The gamer is deleted', details: { reassignedChildren } });
  }
}
