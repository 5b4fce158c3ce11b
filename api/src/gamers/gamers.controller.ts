import { Controller, Get, Param, UseGuards, UseInterceptors } from '@nestjs/common';
import type { GamerProfile } from '../../../contracts/http/gamers.js';
import { AfterPositionInterceptor } from '../http/after-position.interceptor.js';
import { Clock } from '../http/clock.js';
import { CurrentSession, type GamerOfSession, LoggedIn, ownOrAdmin } from '../http/session.js';
import { GamersQueries } from './gamers.queries.js';

@Controller('api/gamer')
@UseGuards(LoggedIn)
@UseInterceptors(AfterPositionInterceptor)
export class GamersController {
  constructor(
    private readonly queries: GamersQueries,
    private readonly clock: Clock,
  ) {}

  /** A gamer’s own data; the admin reads everyone’s. */
  @Get(':id')
  profile(@CurrentSession() session: GamerOfSession, @Param('id') id: string): Promise<GamerProfile> {
    ownOrAdmin(session, id);
    return this.queries.profile(id, this.clock.now());
  }
}
