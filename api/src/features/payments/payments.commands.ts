import { Injectable } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import type { DepositId, GatewayPaymentId } from '../../../../contracts/ids.js';
import type { CommandMetadata, CommandOf } from '../../../../domain/ledger/ledger-commands.js';
import { Ledger } from '../../ledger/ledger.js';
import { BusCommand, WithPosition } from '../../platform/bus-command.js';
import { Refused } from '../../platform/failures.js';
import { AccountMails } from '../gamers/account-mails.js';
import { GatewayUnavailable } from './gateway/payment-gateway.js';
import { describeChange } from './payment-descriptions.js';
import { PaymentOutcomes, PaymentsQueries } from './payments.queries.js';
import { Settlement } from './settlement.js';

/** Finds what happened to a payment at the gateway since its verdict, before the admin decides about it. */
@Injectable()
export class PaymentChanges {
  constructor(
    private readonly settlement: Settlement,
    private readonly outcomes: PaymentOutcomes,
    private readonly queries: PaymentsQueries,
  ) {}

  /** The change as a sentence: fetched now, or as last recorded while the gateway is unavailable. Null without a change. */
  async find(paymentId: GatewayPaymentId, metadata: CommandMetadata): Promise<string | null> {
    try {
      const fetched = await this.settlement.fetchAndSettle(paymentId, 'admin', metadata);
      if (fetched !== null) return fetched.change && describeChange(fetched.change);
    } catch (error) {
      if (!(error instanceof GatewayUnavailable)) throw error;
    }
    return this.queries.recordedChange(paymentId);
  }

  /** Refuses a decision on a parked payment with another change than the one the admin saw. */
  async mustBeSeen(seen: string | null, depositId: DepositId, metadata: CommandMetadata): Promise<void> {
    const deposit = await this.outcomes.find({ depositId });
    if (deposit?.outcome !== 'pending') return;
    const change = await this.find(deposit.paymentId, metadata);
    if (change !== seen) throw new Refused({ code: 'deposit-changed', parameters: { change } });
  }
}

type Decision = CommandOf<'ApproveDeposit' | 'RejectDeposit'>;

/** Credits or rejects a parked payment for good. `seen` is the change at the gateway that the admin saw. */
export class DecideDeposit extends BusCommand<{ decision: Decision; seen: string | null }, MessageResponse> {}

@CommandHandler(DecideDeposit)
export class DecideDepositHandler implements ICommandHandler<DecideDeposit> {
  constructor(
    private readonly changes: PaymentChanges,
    private readonly ledger: Ledger,
    private readonly mails: AccountMails,
  ) {}

  async execute({ fields: { decision, seen }, metadata }: DecideDeposit) {
    await this.changes.mustBeSeen(seen, decision.depositId, metadata);
    const { events, position } = await this.ledger.execute(decision, metadata);
    this.mails.depositDecided(events[0]?.event);
    const outcome = decision.type === 'ApproveDeposit' ? 'approved' : 'rejected';
    return new WithPosition(position, { message: `The deposit is ${outcome}` });
  }
}
