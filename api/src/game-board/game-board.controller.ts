import { Controller, Get, UseGuards, UseInterceptors } from '@nestjs/common';
import type { TimersBody } from '../../../contracts/http/admin.js';
import type { StateResponse } from '../../../contracts/http/game.js';
import { AfterPositionInterceptor } from '../http/after-position.interceptor.js';
import { Clock } from '../http/clock.js';
import { AdminOnly } from '../http/session.js';
import { GameBoardQueries } from './game-board.queries.js';

@Controller('api')
@UseInterceptors(AfterPositionInterceptor)
export class GameBoardController {
  constructor(
    private readonly queries: GameBoardQueries,
    private readonly clock: Clock,
  ) {}

  /** The game as it stands. */
  @Get('state')
  async state(): Promise<StateResponse> {
    return { currentGame: await this.queries.state(this.clock.now()) };
  }

  /** The timers as last set. */
  @Get('admin/timers')
  @UseGuards(AdminOnly)
  timers(): Promise<TimersBody> {
    return this.queries.timers();
  }
}
