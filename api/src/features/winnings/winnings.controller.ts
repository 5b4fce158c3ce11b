import { Body, Controller, Get, Module, Param, UseGuards } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { IsBoolean, IsInt } from 'class-validator';
import type { DepositorStatusRequest, DepositorStatusResponse } from '../../../../contracts/http/gamers.js';
import type { AdjustRequest, TransferRequest } from '../../../../contracts/http/winnings.js';
import { formatCents } from '../../../../contracts/money.js';
import type { CommandMetadata } from '../../../../domain/ledger/ledger-commands.js';
import { AdminOnly, adminOr, LoggedIn, SteppedUp } from '../../http/guards.js';
import { ReadsViews } from '../../http/position.interceptors.js';
import { Metadata, OwnId, PostCommand } from '../../http/session.js';
import { optionalReason, refuseAs } from '../../http/validation.js';
import { ledgerCommand, ledgerMessage } from '../../ledger/ledger-command.js';
import { ProfitsQueries } from './profits.queries.js';

const TransferWinnings = ledgerMessage(
  'TransferWinnings',
  ({ amountCents }) => `${formatCents(amountCents)} moved to your purchase balance`,
);

const AdjustBalance = ledgerMessage('AdjustBalance', () => 'The balances were adjusted');

const SetDepositorStatus = ledgerCommand('SetDepositorStatus', (_command, { events }): DepositorStatusResponse => {
  const set = events[0]?.event;
  const expiresAt = set?.type === 'DepositorStatusSet' ? set.data.untilMs : null;
  return { isDepositor: expiresAt !== null, expiresAt };
});

export class TransferDto implements TransferRequest {
  @IsInt(refuseAs('invalid-transfer-amount')) amountCents!: number;
}

export class AdjustDto implements AdjustRequest {
  @IsInt(refuseAs('invalid-adjustment')) purchaseBalanceCents!: number;
  @IsInt(refuseAs('invalid-adjustment')) totalWinningsCents!: number;
  @optionalReason reason?: string;
}

export class DepositorStatusDto implements DepositorStatusRequest {
  @IsBoolean() isDepositor!: boolean;
}

@Controller('api')
export class WinningsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: ProfitsQueries,
  ) {}

  /** Moves the gamer’s own winnings to their purchase balance. */
  @PostCommand('gamer/:id/transfer-to-purchase')
  @UseGuards(LoggedIn)
  transfer(@Metadata() metadata: CommandMetadata, @OwnId() gamerId: string, @Body() { amountCents }: TransferDto) {
    return this.commands.execute(new TransferWinnings({ gamerId, amountCents }, metadata));
  }

  /** Changes a gamer’s balances by signed amounts. */
  @PostCommand('admin/mini/gamers/:id/adjust')
  @UseGuards(adminOr('money'), SteppedUp)
  adjust(@Metadata() metadata: CommandMetadata, @Param('id') gamerId: string, @Body() body: AdjustDto) {
    const { purchaseBalanceCents: purchaseCents, totalWinningsCents: winningsCents, reason } = body;
    const change = { gamerId, purchaseCents, winningsCents, reason: reason ?? '' };
    return this.commands.execute(new AdjustBalance(change, metadata));
  }

  /** Makes a gamer an active depositor for 30 days, or ends that. */
  @PostCommand('admin/mini/gamers/:id/depositor-status')
  @UseGuards(adminOr('money'), SteppedUp)
  setDepositorStatus(@Metadata() metadata: CommandMetadata, @Param('id') id: string, @Body() body: DepositorStatusDto) {
    return this.commands.execute(new SetDepositorStatus({ gamerId: id, isDepositor: body.isDepositor }, metadata));
  }

  /** The house’s profit, and the unclaimed, fee and forfeited balances. */
  @Get('admin/profits')
  @UseGuards(AdminOnly)
  @ReadsViews()
  profits() {
    return this.queries.profits();
  }
}

@Module({
  controllers: [WinningsController],
  providers: [ProfitsQueries, TransferWinnings.Handler, AdjustBalance.Handler, SetDepositorStatus.Handler],
})
export class WinningsModule {}
