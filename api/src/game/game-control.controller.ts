import { Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import type { ResetRequest, TimersBody } from '../../../contracts/http/admin.js';
import { MAX_EXTENSION_SECONDS, MAX_TIMER_SECONDS, REASON_MAX_LENGTH } from '../../../contracts/limits.js';
import { refusalText } from '../../../contracts/messages.js';
import { actorOf } from '../http/actor.js';
import { CommandId } from '../http/command-id.js';
import { AdminOnly, CurrentSession, type GamerOfSession } from '../http/session.js';
import { ChangeTimers, ForceStartLive, ResetGame, StartGame } from './game-control.handlers.js';

const message = refusalText({ code: 'invalid-timers' });

export class TimersDto implements TimersBody {
  @IsInt({ message })
  @Min(1, { message })
  @Max(MAX_TIMER_SECONDS, { message })
  pregameDurationSeconds!: number;

  @IsInt({ message })
  @Min(1, { message })
  @Max(MAX_TIMER_SECONDS, { message })
  liveDurationSeconds!: number;

  @IsInt({ message })
  @Min(1, { message })
  @Max(MAX_TIMER_SECONDS, { message })
  downtimeDurationSeconds!: number;

  @IsInt({ message })
  @Min(1, { message })
  @Max(MAX_EXTENSION_SECONDS, { message })
  tokenExtensionSeconds!: number;
}

export class ResetDto implements ResetRequest {
  @IsOptional()
  @IsString()
  @MaxLength(REASON_MAX_LENGTH)
  reason?: string;
}

/** The admin's control of the game (specification §4, §7). */
@Controller('api/admin')
@UseGuards(AdminOnly)
export class GameControlController {
  constructor(private readonly commands: CommandBus) {}

  /** Opens a round, in pregame; only while the game is idle. */
  @Post('game/start')
  @HttpCode(200)
  start(@CurrentSession() session: GamerOfSession, @CommandId() commandId: string) {
    return this.commands.execute(new StartGame({ actor: actorOf(session), commandId }));
  }

  /** Goes straight to live for 5 minutes, from any other phase. */
  @Post('game/start-live')
  @HttpCode(200)
  startLive(@CurrentSession() session: GamerOfSession, @CommandId() commandId: string) {
    return this.commands.execute(new ForceStartLive({ actor: actorOf(session), commandId }));
  }

  /** Back to idle; a round that was open is void and its jackpot is carried. */
  @Post('game/reset')
  @HttpCode(200)
  reset(@CurrentSession() session: GamerOfSession, @CommandId() commandId: string, @Body() body: ResetDto) {
    return this.commands.execute(new ResetGame(body.reason?.trim() ?? '', { actor: actorOf(session), commandId }));
  }

  /** Sets the timers, which hold from the next phase on. */
  @Post('timers')
  @HttpCode(200)
  changeTimers(@CurrentSession() session: GamerOfSession, @CommandId() commandId: string, @Body() timers: TimersDto) {
    return this.commands.execute(new ChangeTimers({ ...timers }, { actor: actorOf(session), commandId }));
  }
}
