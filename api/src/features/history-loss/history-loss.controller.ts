import { Body, Controller, Get, Module, Param, UseGuards } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { HeldPayoutsResponse } from '../../../../contracts/http/history-loss.js';
import { ADMIN_NOTES_MAX_LENGTH, REASON_MAX_LENGTH } from '../../../../contracts/limits.js';
import type { CommandMetadata } from '../../../../domain/ledger/ledger-commands.js';
import { adminOr, SteppedUp } from '../../http/guards.js';
import { ReadsViews } from '../../http/position.interceptors.js';
import { Metadata, PostCommand } from '../../http/session.js';
import { trimmedText } from '../../http/validation.js';
import { ledgerMessage } from '../../ledger/ledger-command.js';
import { Refused, Unavailable } from '../../platform/failures.js';
import { AuditModule } from '../audit/audit.controller.js';
import { PaymentsModule } from '../payments/payments.controller.js';
import { WithdrawalsModule } from '../withdrawals/withdrawals.controller.js';
import { HeldPayouts } from './held-payouts.js';

const SettlePayout = ledgerMessage('SettlePayout', ({ payoutId }) => `Payout ${payoutId} is settled`);
const ReleasePayouts = ledgerMessage('ReleasePayouts', () => 'Payouts go on');

export class SettlePayoutDto {
  @trimmedText('payout-notes-required', ADMIN_NOTES_MAX_LENGTH, 'notes-too-long') notes!: string;
}

export class ReleasePayoutsDto {
  @trimmedText('payout-notes-required', REASON_MAX_LENGTH, 'reason-too-long') reason!: string;
}

@Controller('api/admin/losses')
@UseGuards(adminOr('money'))
@ReadsViews()
export class HistoryLossController {
  constructor(
    private readonly commands: CommandBus,
    private readonly held: HeldPayouts,
  ) {}

  /** Whether a loss of history holds payouts, and which of the gateway’s payouts no withdrawal names. */
  @Get('payouts')
  payouts(): Promise<HeldPayoutsResponse> {
    return this.held.read();
  }

  /** Settles a payout that no withdrawal names; the notes explain it. */
  @PostCommand('payouts/:id/settle')
  @UseGuards(SteppedUp)
  async settle(@Metadata() metadata: CommandMetadata, @Param('id') payoutId: string, @Body() body: SettlePayoutDto) {
    await this.held.mustDiffer(payoutId);
    return this.commands.execute(new SettlePayout({ payoutId, adminNotes: body.notes }, metadata));
  }

  /** Releases the payouts when the gateway cannot be asked: the reason says how the payouts were checked. */
  @PostCommand('release')
  @UseGuards(SteppedUp)
  async release(@Metadata() metadata: CommandMetadata, @Body() { reason }: ReleasePayoutsDto) {
    const { problem, mayRelease, differences } = await this.held.read();
    if (problem !== null && !mayRelease) throw new Unavailable(problem);
    if (differences.length > 0) throw new Refused('payouts-differ');
    return this.commands.execute(new ReleasePayouts({ paymentCount: 0, payoutCount: 0, reason }, metadata));
  }
}

@Module({
  imports: [AuditModule, PaymentsModule, WithdrawalsModule],
  controllers: [HistoryLossController],
  providers: [HeldPayouts, SettlePayout.Handler, ReleasePayouts.Handler],
})
export class HistoryLossModule {}
