import { Body, Controller, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { IsBoolean, IsInt, IsOptional, IsString, MaxLength, Min } from 'class-validator';
import type { AdjustRequest, DepositorStatusRequest } from '../../../contracts/http/admin.js';
import type { TransferRequest } from '../../../contracts/http/gamers.js';
import { REASON_MAX_LENGTH } from '../../../contracts/limits.js';
import { refusalText } from '../../../contracts/messages.js';
import { actorOf } from '../http/actor.js';
import { CommandId } from '../http/command-id.js';
import { AdminOnly, CurrentSession, type GamerOfSession, LoggedIn, own } from '../http/session.js';
import { AdjustBalance, SetDepositorStatus, TransferWinnings } from './balances.handlers.js';

export class TransferDto implements TransferRequest {
  @Min(1, { message: refusalText({ code: 'invalid-transfer-amount' }) })
  @IsInt({ message: refusalText({ code: 'invalid-transfer-amount' }) })
  amountCents!: number;
}

export class AdjustDto implements AdjustRequest {
  @IsInt({ message: refusalText({ code: 'invalid-adjustment' }) })
  purchaseBalanceCents!: number;

  @IsInt({ message: refusalText({ code: 'invalid-adjustment' }) })
  totalWinningsCents!: number;

  @IsOptional()
  @IsString()
  @MaxLength(REASON_MAX_LENGTH)
  reason?: string;
}

export class DepositorStatusDto implements DepositorStatusRequest {
  @IsBoolean()
  isDepositor!: boolean;
}

@Controller('api')
export class BalancesController {
  constructor(private readonly commands: CommandBus) {}

  /** Moves one’s own winnings to one’s purchase balance. */
  @Post('gamer/:id/transfer-to-purchase')
  @HttpCode(200)
  @UseGuards(LoggedIn)
  transfer(
    @CurrentSession() session: GamerOfSession,
    @CommandId() commandId: string,
    @Param('id') id: string,
    @Body() { amountCents }: TransferDto,
  ) {
    own(session, id);
    return this.commands.execute(new TransferWinnings(id, amountCents, { actor: actorOf(session), commandId }));
  }

  /** Changes a gamer’s balances by signed amounts. */
  @Post('admin/mini/gamers/:id/adjust')
  @HttpCode(200)
  @UseGuards(AdminOnly)
  adjust(
    @CurrentSession() session: GamerOfSession,
    @CommandId() commandId: string,
    @Param('id') id: string,
    @Body() { purchaseBalanceCents, totalWinningsCents, reason }: AdjustDto,
  ) {
    const change = {
      purchaseCents: purchaseBalanceCents,
      winningsCents: totalWinningsCents,
      reason: reason?.trim() ?? '',
    };
    return this.commands.execute(new AdjustBalance(id, change, { actor: actorOf(session), commandId }));
  }

  /** Makes a gamer an active depositor for 30 days, or ends that. */
  @Post('admin/mini/gamers/:id/depositor-status')
  @HttpCode(200)
  @UseGuards(AdminOnly)
  setDepositorStatus(
    @CurrentSession() session: GamerOfSession,
    @CommandId() commandId: string,
    @Param('id') id: string,
    @Body() { isDepositor }: DepositorStatusDto,
  ) {
    return this.commands.execute(new SetDepositorStatus(id, isDepositor, { actor: actorOf(session), commandId }));
  }
}
