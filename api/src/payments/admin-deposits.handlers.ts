import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { fromUnits } from '../../../contracts/decimal.js';
import type { Actor } from '../../../contracts/events/metadata.js';
import type { MessageResponse } from '../../../contracts/http/gamers.js';
import type { LookupPaymentResponse, PaymentDetails } from '../../../contracts/http/payments.js';
import type { DepositId, GamerId, GatewayPaymentId } from '../../../contracts/ids.js';
import { refusalText } from '../../../contracts/messages.js';
import { formatCents } from '../../../contracts/money.js';
import { AccountsStore } from '../accounts/accounts.store.js';
import { NAMELESS } from '../game/game-state.js';
import { type WithPosition, withPosition } from '../http/position.interceptor.js';
import { Refused } from '../http/refused.js';
import { Ledger } from '../ledger/ledger.js';
import { GatewayUnavailable } from './gateway/payment-gateway.js';
import { LEDGER_PAYMENTS, type LedgerPayment, type LedgerPayments } from './ledger-payments.js';
import { reasonInWords } from './payment-words.js';
import { Settlement } from './settlement.js';

interface By {
  actor: Actor;
  commandId: string;
}

export class ApproveDeposit extends Command<WithPosition<MessageResponse>> {
  constructor(
    readonly depositId: DepositId,
    readonly by: By,
  ) {
    super();
  }
}

export class RejectDeposit extends Command<WithPosition<MessageResponse>> {
  constructor(
    readonly depositId: DepositId,
    readonly adminNotes: string | null,
    readonly by: By,
  ) {
    super();
  }
}

/** The admin asks for a payment by the gateway's id, and may say whose it is. */
export class LookUpPayment extends Command<WithPosition<LookupPaymentResponse>> {
  constructor(
    readonly paymentId: GatewayPaymentId,
    readonly gamerTag: string | null,
    readonly by: By,
  ) {
    super();
  }
}

@CommandHandler(ApproveDeposit)
export class ApproveDepositHandler implements ICommandHandler<ApproveDeposit> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ depositId, by }: ApproveDeposit) {
    const { position } = await this.ledger.execute({ type: 'ApproveDeposit', depositId, gamerId: null }, by);
    return withPosition(position, { message: 'The deposit is approved' });
  }
}

@CommandHandler(RejectDeposit)
export class RejectDepositHandler implements ICommandHandler<RejectDeposit> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ depositId, adminNotes, by }: RejectDeposit) {
    const { position } = await this.ledger.execute({ type: 'RejectDeposit', depositId, adminNotes }, by);
    return withPosition(position, { message: 'The deposit is rejected' });
  }
}

/**
 * Decision 31. A payment that was credited is refused with who got it. One that nobody noticed is settled now, as its
 * callback would have. One that waits is credited when the admin names a gamer; without a gamer of its own it asks for
 * one, and otherwise it stays in the list of those that wait.
 */
@CommandHandler(LookUpPayment)
export class LookUpPaymentHandler implements ICommandHandler<LookUpPayment> {
  constructor(
    @Inject(LEDGER_PAYMENTS) private readonly ledgerPayments: LedgerPayments,
    private readonly settlement: Settlement,
    private readonly ledger: Ledger,
    private readonly accounts: AccountsStore,
  ) {}

  async execute({ paymentId, gamerTag, by }: LookUpPayment): Promise<WithPosition<LookupPaymentResponse>> {
    const assignedTo = gamerTag === null ? null : await this.gamerNamed(gamerTag);
    const known = await this.ledgerPayments.find(paymentId);
    if (known !== null) await this.refuseSettled(known);
    const { found, status } = known ? { found: known, status: known.outcome } : await this.fetchAndSettle(paymentId);
    const details = detailsOf(found, status);
    if (found.outcome !== 'pending') return this.credited(this.ledger.committed.position, found, details);
    if (assignedTo === null || found.depositId === null) return this.waiting(found, details);
    const command = { type: 'ApproveDeposit', depositId: found.depositId, gamerId: assignedTo } as const;
    const { position } = await this.ledger.execute(command, by);
    return this.credited(position, { ...found, gamerId: assignedTo }, details);
  }

  private async gamerNamed(gamerTag: string): Promise<GamerId> {
    const account = await this.accounts.findByTag(gamerTag);
    if (account === null) throw new Refused('gamer-not-found');
    return account.gamerId;
  }

  private async refuseSettled({ outcome, gamerId }: LedgerPayment): Promise<void> {
    if (outcome === 'pending') return;
    if (outcome === 'rejected') throw new Refused({ code: 'deposit-settled', parameters: { status: outcome } });
    const gamerTag = await this.tagOf(gamerId);
    throw new Refused({ code: 'payment-already-credited', parameters: { gamerTag } });
  }

  private async fetchAndSettle(paymentId: GatewayPaymentId): Promise<{ found: LedgerPayment; status: string }> {
    const payment = await this.settlement.settle(paymentId, 'admin').catch((error: unknown) => {
      throw error instanceof GatewayUnavailable ? new Refused('gateway-unavailable') : error;
    });
    if (payment === null) throw new Refused('payment-not-found');
    const found = await this.ledgerPayments.find(paymentId);
    const status = payment.statusWord;
    if (found === null) throw new Refused({ code: 'payment-unpaid', parameters: { status } });
    return { found, status };
  }

  private async credited(position: string, { gamerId, amountCents }: LedgerPayment, paymentDetails: PaymentDetails) {
    const message = `${formatCents(amountCents)} was credited to ${await this.tagOf(gamerId)}`;
    return withPosition(position, { success: true, requiresGamerTag: false, paymentDetails, message });
  }

  private waiting({ gamerId, reason }: LedgerPayment, paymentDetails: PaymentDetails) {
    const why = reason === null ? '' : `${reasonInWords(reason)}. `;
    const requiresGamerTag = gamerId === null;
    const then = requiresGamerTag
      ? refusalText({ code: 'gamer-tag-required' })
      : 'It waits among the pending deposits for your approval';
    const { position } = this.ledger.committed;
    return withPosition(position, { success: false, requiresGamerTag, paymentDetails, message: why + then });
  }

  private async tagOf(gamerId: GamerId | null): Promise<string> {
    if (gamerId === null) return NAMELESS;
    return (await this.accounts.tagsOf([gamerId])).get(gamerId) ?? NAMELESS;
  }
}

/** The amount is what is, or would be, credited. */
function detailsOf({ paymentId, amountCents, cryptoType }: LedgerPayment, status: string): PaymentDetails {
  if (cryptoType === null) throw new Error(`the ledger does not say in which coin payment ${paymentId} came`);
  return { amount: fromUnits(BigInt(amountCents), 2), cryptoType, status };
}
