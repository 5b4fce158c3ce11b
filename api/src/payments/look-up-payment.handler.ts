import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isCryptoType } from '../../../contracts/crypto.js';
import { fromUnits } from '../../../contracts/decimal.js';
import type { LookupPaymentResponse, PaymentDetails } from '../../../contracts/http/payments.js';
import type { GamerId, GatewayPaymentId } from '../../../contracts/ids.js';
import { refusalText } from '../../../contracts/messages.js';
import { formatCents } from '../../../contracts/money.js';
import { AccountsStore } from '../accounts/accounts.store.js';
import { NAMELESS } from '../game/game-state.js';
import { type WithPosition, withPosition } from '../http/position.interceptor.js';
import { Refused } from '../http/refused.js';
import { Ledger } from '../ledger/ledger.js';
import { EarlierLookups } from './earlier-lookups.js';
import { GatewayUnavailable } from './gateway/payment-gateway.js';
import { LEDGER_PAYMENTS, type LedgerPayment, type LedgerPayments } from './ledger-payments.js';
import { changeInWords, reasonInWords } from './payment-words.js';
import { type By, type Looked, Settlement } from './settlement.js';

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

/**
 * Decision 31. A payment that was credited is refused with who got it, and with what the gateway has said of it since.
 * One that nobody noticed is settled now, as its callback would have. One that waits is credited when the admin names a
 * gamer; without a gamer of its own it asks for one, and otherwise it stays in the list of those that wait. Sent again, a
 * lookup that credited is answered as the first time.
 */
@CommandHandler(LookUpPayment)
export class LookUpPaymentHandler implements ICommandHandler<LookUpPayment> {
  constructor(
    @Inject(LEDGER_PAYMENTS) private readonly ledgerPayments: LedgerPayments,
    private readonly settlement: Settlement,
    private readonly ledger: Ledger,
    private readonly accounts: AccountsStore,
    private readonly earlier: EarlierLookups,
  ) {}

  async execute({ paymentId, gamerTag, by }: LookUpPayment): Promise<WithPosition<LookupPaymentResponse>> {
    const assignedTo = gamerTag === null ? null : await this.gamerNamed(gamerTag);
    const known = await this.ledgerPayments.find(paymentId);
    if (known !== null && known.outcome !== 'pending') {
      return (await this.firstAnswer(known, assignedTo, by)) ?? this.refuseSettled(known, by);
    }
    const { found, shown } = known ? await this.lookAgain(known, by) : await this.settle(paymentId, by);
    const details = detailsOf(found, shown);
    if (found.outcome !== 'pending') return this.credited(this.ledger.committed.position, found, details);
    if (assignedTo === null || found.depositId === null) return this.waiting(found, details, shown.change);
    const command = { type: 'ApproveDeposit', depositId: found.depositId, gamerId: assignedTo } as const;
    const { position } = await this.ledger.execute(command, by);
    return this.credited(position, { ...found, gamerId: assignedTo }, details);
  }

  private async gamerNamed(gamerTag: string): Promise<GamerId> {
    const account = await this.accounts.findByTag(gamerTag);
    if (account === null) throw new Refused('gamer-not-found');
    return account.gamerId;
  }

  /** If it was this very command that credited it; null when it was another, or the gateway's callback. */
  private async firstAnswer(known: LedgerPayment, assignedTo: GamerId | null, by: By) {
    const seen = await this.earlier.seenBy(by, known.paymentId);
    if (known.reason === null) {
      if (seen === null) return null;
      return this.credited(this.ledger.committed.position, known, detailsOf(known, seen));
    }
    if (assignedTo === null || known.depositId === null || known.outcome !== 'approved') return null;
    // Of what is settled the ledger refuses everything but the command that did it.
    const command = { type: 'ApproveDeposit', depositId: known.depositId, gamerId: assignedTo } as const;
    const repeated = await this.ledger.execute(command, by).catch((error: unknown) => {
      const isSettled =
        error instanceof Refused && ['deposit-settled', 'deposit-not-found'].includes(error.refusal.code);
      if (isSettled) return null;
      throw error;
    });
    return repeated && this.credited(repeated.position, known, detailsOf(known, seen ?? { status: 'pending' }));
  }

  private async refuseSettled(known: LedgerPayment, by: By): Promise<never> {
    const { outcome, gamerId } = known;
    const { change } = (await this.lookAgain(known, by)).shown;
    if (outcome === 'rejected') throw new Refused({ code: 'deposit-settled', parameters: { status: outcome } });
    const gamerTag = await this.tagOf(gamerId);
    throw new Refused({ code: 'payment-already-credited', parameters: { gamerTag, change } });
  }

  /** There may be news: more money, or a refund. What the gateway does not answer now need not be known. */
  private async lookAgain(known: LedgerPayment, by: By): Promise<{ found: LedgerPayment; shown: Shown }> {
    const looked = await this.look(known.paymentId, by).catch((error: unknown) => {
      if (error instanceof GatewayUnavailable) return null;
      throw error;
    });
    return { found: known, shown: { status: known.outcome, change: looked?.change && changeInWords(looked.change) } };
  }

  private async settle(paymentId: GatewayPaymentId, by: By): Promise<{ found: LedgerPayment; shown: Shown }> {
    const looked = await this.look(paymentId, by).catch((error: unknown) => {
      throw error instanceof GatewayUnavailable ? new Refused('gateway-unavailable') : error;
    });
    if (looked === null) throw new Refused('payment-not-found');
    const found = await this.ledgerPayments.find(paymentId);
    const { statusWord: status, payCurrency } = looked.payment;
    if (found === null) throw new Refused({ code: 'payment-unpaid', parameters: { status } });
    return { found, shown: { status, payCurrency } };
  }

  private look(paymentId: GatewayPaymentId, by: By): Promise<Looked | null> {
    return this.settlement.settle(paymentId, 'admin', by);
  }

  private async credited(position: string, { gamerId, amountCents }: LedgerPayment, paymentDetails: PaymentDetails) {
    const message = `${formatCents(amountCents)} was credited to ${await this.tagOf(gamerId)}`;
    return withPosition(position, { success: true, requiresGamerTag: false, paymentDetails, message });
  }

  private waiting({ gamerId, reason }: LedgerPayment, paymentDetails: PaymentDetails, change: Shown['change']) {
    const why = [reason && reasonInWords(reason), change].filter(Boolean).map((sentence) => `${sentence}. `);
    const requiresGamerTag = gamerId === null;
    const then = requiresGamerTag
      ? refusalText({ code: 'gamer-tag-required' })
      : 'It waits among the pending deposits for your approval';
    const { position } = this.ledger.committed;
    return withPosition(position, { success: false, requiresGamerTag, paymentDetails, message: why.join('') + then });
  }

  private async tagOf(gamerId: GamerId | null): Promise<string> {
    if (gamerId === null) return NAMELESS;
    return (await this.accounts.tagsOf([gamerId])).get(gamerId) ?? NAMELESS;
  }
}

/** What the gateway showed of a payment. */
interface Shown {
  status: string;
  payCurrency?: string;
  /** In words, since the payment was judged. */
  change?: string | null | undefined;
}

/** The amount is what is, or would be, credited. Of tokens that were bought only the gateway says the coin. */
function detailsOf(
  { paymentId, amountCents, cryptoType }: LedgerPayment,
  { status, payCurrency = '' }: Shown,
): PaymentDetails {
  const coin = cryptoType ?? payCurrency.toUpperCase();
  if (!isCryptoType(coin)) throw new Error(`payment ${paymentId} came in no coin of ours: ${coin}`);
  return { amount: fromUnits(BigInt(amountCents), 2), cryptoType: coin, status };
}
