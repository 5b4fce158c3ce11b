import { Body, Controller, Get, Module, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type * as http from '../../../../contracts/http/game.js';
import type { WinnersResponse } from '../../../../contracts/http/rounds.js';
import * as limits from '../../../../contracts/limits.js';
import { instantsOf } from '../../../../contracts/local-times.js';
import type { CommandMetadata } from '../../../../domain/ledger/ledger-commands.js';
import { adminOr, SteppedUp } from '../../http/guards.js';
import { Page } from '../../http/page.js';
import { ReadsViews } from '../../http/position.interceptors.js';
import { Metadata, PostCommand } from '../../http/session.js';
import { oneOf, optionalReason, requiredText, wholeNumber } from '../../http/validation.js';
import { dataOf, ledgerCommand, ledgerMessage } from '../../ledger/ledger-command.js';
import { Clock } from '../../platform/clock.js';
import { ChangedByInterceptor } from '../gamers/changed-by.interceptor.js';
import { GameQueries } from './game.queries.js';

const StartGame = ledgerMessage(
  'StartGame',
  (_command, result) => `Round ${dataOf(result, 'GameStarted').roundId} is starting`,
);

const ForceStartLive = ledgerCommand('ForceStartLive', (_command, result): http.StartLiveResponse => {
  const { roundId } = dataOf(result, 'LiveStarted');
  return { message: `Round ${roundId} is live for 5 minutes`, roundId };
});

const ResetGame = ledgerMessage('ResetGame', () => 'The game is idle');

const ScheduleGame = ledgerMessage('ScheduleGame', ({ localTime, timeZone }) => {
  const isTwice = instantsOf(localTime, timeZone).length > 1;
  const which = isTwice ? '. Clocks show this time twice, because summer time ends: the first is meant.' : '';
  return `A start is planned for ${localTime.replace('T', ' ')} in ${timeZone}${which}`;
});

const CancelSchedule = ledgerMessage('CancelSchedule', () => 'The planned start is cancelled');

const ChangeTimers = ledgerCommand('ChangeTimers', ({ timers }): limits.TimerSettings => timers);

@Controller('api')
export class GameController {
  constructor(
    private readonly queries: GameQueries,
    private readonly clock: Clock,
  ) {}

  /** The current state of the game. */
  @Get('state')
  @ReadsViews('game-board', 'gamers')
  async state(): Promise<http.StateResponse> {
    return { currentGame: await this.queries.state(this.clock.now()) };
  }

  /** Won rounds, newest first. */
  @Get('winners')
  @ReadsViews('winners', 'gamers')
  async winners(@Query() { page, pageSize }: Page): Promise<WinnersResponse> {
    return { winners: await this.queries.winners({ page, pageSize: Math.min(pageSize, limits.MAX_LISTED_WINNERS) }) };
  }

  /** The public counters. */
  @Get('stats')
  @ReadsViews('stats')
  stats() {
    return this.queries.stats();
  }

  /** The timers as last set. */
  @Get('admin/timers')
  @ReadsViews('game-board')
  @UseGuards(adminOr('game'))
  timers() {
    return this.queries.timers();
  }
}

export class TimersDto implements http.TimersBody {
  @wholeNumber(1, limits.MAX_TIMER_SECONDS, 'invalid-timers') pregameDurationSeconds!: number;
  @wholeNumber(1, limits.MAX_TIMER_SECONDS, 'invalid-timers') liveDurationSeconds!: number;
  @wholeNumber(1, limits.MAX_TIMER_SECONDS, 'invalid-timers') downtimeDurationSeconds!: number;
  @wholeNumber(1, limits.MAX_EXTENSION_SECONDS, 'invalid-timers') tokenExtensionSeconds!: number;
}

export class ResetDto implements http.ResetRequest {
  @optionalReason reason?: string;
}

export class ScheduleDto implements http.ScheduleRequest {
  @requiredText('invalid-start-time') localTime!: string;
  @requiredText('invalid-start-time') timeZone!: string;
  @oneOf(limits.PLAN_REPEATS, 'invalid-start-time') repeat!: limits.PlanRepeat;
}

export class CancelScheduleDto implements http.CancelScheduleRequest {
  @wholeNumber(0, Number.MAX_SAFE_INTEGER, 'invalid-start-time') startsAtMs!: number;
}

/** The admin's control of the game (specification §4, §7). */
@Controller('api/admin')
@UseGuards(adminOr('game'))
export class GameControlController {
  constructor(private readonly commands: CommandBus) {}

  /** Opens a round, in pregame; only while the game is idle. */
  @PostCommand('game/start')
  start(@Metadata() metadata: CommandMetadata) {
    return this.commands.execute(new StartGame({}, metadata));
  }

  /** Goes straight to live for 5 minutes, from any other phase. */
  @PostCommand('game/start-live')
  startLive(@Metadata() metadata: CommandMetadata) {
    return this.commands.execute(new ForceStartLive({}, metadata));
  }

  /** Back to idle; a round that was open is void and its jackpot is carried. */
  @PostCommand('game/reset')
  @UseGuards(SteppedUp)
  reset(@Metadata() metadata: CommandMetadata, @Body() { reason }: ResetDto) {
    return this.commands.execute(new ResetGame({ reason: reason ?? '' }, metadata));
  }

  /** Plans a start, once or daily, by the clocks of a time zone; one at a time. */
  @PostCommand('game/schedule')
  schedule(@Metadata() metadata: CommandMetadata, @Body() plan: ScheduleDto) {
    return this.commands.execute(new ScheduleGame({ ...plan }, metadata));
  }

  /** Cancels the start that is planned for this time. */
  @PostCommand('game/schedule/cancel')
  cancelSchedule(@Metadata() metadata: CommandMetadata, @Body() { startsAtMs }: CancelScheduleDto) {
    return this.commands.execute(new CancelSchedule({ startsAtMs }, metadata));
  }

  /** Sets the timers, which hold from the next phase on. */
  @PostCommand('timers')
  @UseInterceptors(ChangedByInterceptor)
  changeTimers(@Metadata() metadata: CommandMetadata, @Body() timers: TimersDto) {
    const { expectedVersion } = metadata;
    const fields = { timers: { ...timers }, ...(expectedVersion !== undefined && { expectedVersion }) };
    return this.commands.execute(new ChangeTimers(fields, metadata));
  }
}

@Module({
  controllers: [GameController, GameControlController],
  providers: [
    GameQueries,
    ...[StartGame, ForceStartLive, ResetGame, ScheduleGame, CancelSchedule, ChangeTimers].map(({ Handler }) => Handler),
  ],
})
export class GameModule {}
