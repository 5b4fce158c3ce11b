import type { Model, ModelGamer } from './model.js';

/*
 * The part of the model where money comes in from outside and goes out again: payments that wait or credit themselves,
 * invoices, withdrawals of winnings and of profit.
 */

interface Money {
  amountCents: number;
  feeCents: number;
  cryptoType: 'BTC';
}

interface Payout {
  amountCents: number;
  cryptoType: 'BTC';
  walletAddress: string;
}

interface Update {
  status: 'processing' | 'completed' | 'returned';
  adminNotes: string | null;
  txid: string | null;
}

export type TreasuryCommand =
  | { type: 'CreditDeposit'; paymentId: string; gamerId: string; money: Money }
  | {
      type: 'RecordDeposit';
      paymentId: string;
      purpose: 'deposit' | 'tokens';
      gamerId: string | null;
      money: Money;
      reason: 'late';
    }
  | { type: 'ApproveDeposit'; depositId: string; gamerId: string | null }
  | { type: 'RejectDeposit'; depositId: string; adminNotes: string | null }
  | {
      type: 'SettleInvoice';
      paymentId: string;
      gamerId: string;
      quantity: number;
      roundId: number | null;
      cryptoType: 'BTC';
    }
  | { type: 'RequestWithdrawal'; gamerId: string; payout: Payout }
  | { type: 'UpdateWithdrawal'; withdrawalId: string; update: Update }
  | { type: 'RequestProfitWithdrawal'; payout: Payout }
  | { type: 'UpdateProfitWithdrawal'; withdrawalId: string; update: Update };

const THIRTY_DAYS_MS = 2_592_000_000;
const isAmount = (cents: number): boolean => Number.isSafeInteger(cents) && cents > 0;

export class Treasury {
  /** Who got each payment that ever came in; null while it waits, and when it was rejected. */
  readonly payments = new Map<string, string | null>();
  readonly deposits = new Map<
    string,
    { of: Extract<TreasuryCommand, { type: 'RecordDeposit' }>; status: 'pending' | 'approved' | 'rejected' }
  >();
  readonly withdrawals = new Map<
    string,
    { gamer: string | null; cents: number; status: 'pending' | 'processing' | 'completed' | 'returned' }
  >();
  fees = 0;
  pending = 0;
  /** What the outside world is owed: below zero, for it paid in. */
  world = 0;

  constructor(private readonly model: Model) {}

  hasOpenWithdrawal(gamerId: string): boolean {
    const open = ['pending', 'processing'];
    return [...this.withdrawals.values()].some(({ gamer, status }) => gamer === gamerId && open.includes(status));
  }

  reasonsAgainst(command: TreasuryCommand): (string | false)[] {
    switch (command.type) {
      case 'CreditDeposit':
        return [...this.reasonsAgainstPayment(command), this.isNobody(command.gamerId) && 'gamer-not-found'];
      case 'RecordDeposit':
        return this.reasonsAgainstPayment(command);
      case 'ApproveDeposit': {
        const gamerId = command.gamerId ?? this.deposits.get(command.depositId)?.of.gamerId ?? null;
        return [
          ...this.reasonsAgainstReview(command.depositId),
          gamerId === null && 'deposit-needs-gamer',
          gamerId !== null && this.isNobody(gamerId) && 'gamer-not-found',
        ];
      }
      case 'RejectDeposit':
        return this.reasonsAgainstReview(command.depositId);
      case 'SettleInvoice':
        return [
          this.payments.has(command.paymentId) && 'payment-already-recorded',
          this.isNobody(command.gamerId) && 'gamer-not-found',
          !isAmount(command.quantity) && 'invalid-quantity',
          command.quantity > 10_000 && 'too-many-tokens',
        ];
      case 'RequestWithdrawal': {
        const { gamerId, payout } = command;
        const most = this.model.gamers.get(gamerId)?.winnings ?? 0;
        return [
          this.isNobody(gamerId) && 'gamer-not-found',
          ...reasonsAgainstPayout(payout),
          payout.amountCents > most && 'withdrawal-exceeds-winnings',
        ];
      }
      case 'RequestProfitWithdrawal':
        return [
          ...reasonsAgainstPayout(command.payout),
          command.payout.amountCents > this.model.profit && 'profit-exceeds-available',
        ];
      case 'UpdateWithdrawal':
        return this.reasonsAgainstUpdate(command.withdrawalId, (gamer) => gamer !== null);
      case 'UpdateProfitWithdrawal':
        return [
          ...this.reasonsAgainstUpdate(command.withdrawalId, (gamer) => gamer === null),
          command.update.status === 'processing' && 'invalid-withdrawal-status',
        ];
    }
  }

  private reasonsAgainstPayment({ paymentId, money }: { paymentId: string; money: Money }): (string | false)[] {
    const isFine = isAmount(money.amountCents) && (money.feeCents === 0 || isAmount(money.feeCents));
    return [this.payments.has(paymentId) && 'payment-already-recorded', !isFine && 'invalid-deposit-amount'];
  }

  private reasonsAgainstReview(depositId: string): (string | false)[] {
    const deposit = this.deposits.get(depositId);
    return [
      !deposit && 'deposit-not-found',
      deposit !== undefined && deposit.status !== 'pending' && 'deposit-settled',
    ];
  }

  private reasonsAgainstUpdate(withdrawalId: string, isRight: (of: string | null) => boolean): (string | false)[] {
    const withdrawal = this.withdrawals.get(withdrawalId);
    if (!withdrawal || !isRight(withdrawal.gamer)) return ['withdrawal-not-found'];
    return [['completed', 'returned'].includes(withdrawal.status) && 'withdrawal-settled'];
  }

  private isNobody(gamerId: string): boolean {
    return gamerId === this.model.house || !this.model.gamers.has(gamerId);
  }

  carryOut(command: TreasuryCommand, at: number, freshId: string): void {
    switch (command.type) {
      case 'CreditDeposit':
        this.credit(command, command.gamerId, at);
        return;
      case 'RecordDeposit':
        this.payments.set(command.paymentId, null);
        this.deposits.set(freshId, { of: command, status: 'pending' });
        return;
      case 'ApproveDeposit': {
        const deposit = this.deposits.get(command.depositId)!;
        deposit.status = 'approved';
        this.credit(deposit.of, command.gamerId ?? deposit.of.gamerId!, deposit.of.purpose === 'deposit' && at);
        return;
      }
      case 'RejectDeposit':
        this.deposits.get(command.depositId)!.status = 'rejected';
        return;
      case 'SettleInvoice':
        this.settle(command, at);
        return;
      case 'RequestWithdrawal':
        this.gamer(command.gamerId).winnings -= command.payout.amountCents;
        this.reserve(command.gamerId, command.payout.amountCents, freshId);
        return;
      case 'RequestProfitWithdrawal':
        this.model.profit -= command.payout.amountCents;
        this.reserve(null, command.payout.amountCents, freshId);
        return;
      case 'UpdateWithdrawal':
      case 'UpdateProfitWithdrawal':
        this.update(command.withdrawalId, command.update.status);
        return;
    }
  }

  /** `depositAt`: when it makes a depositor; false for a token payment, which makes none. */
  private credit(
    { paymentId, money }: { paymentId: string; money: Money },
    to: string,
    depositAt: number | false,
  ): void {
    const gamer = this.gamer(to);
    this.payments.set(paymentId, to);
    this.world -= money.amountCents + money.feeCents;
    this.fees += money.feeCents;
    gamer.purchase += money.amountCents;
    if (depositAt !== false) gamer.depositorUntil = depositAt + THIRTY_DAYS_MS;
  }

  /** As if its price went to the balance, and at once into tokens while its own round is live. */
  private settle(invoice: Extract<TreasuryCommand, { type: 'SettleInvoice' }>, at: number): void {
    const { paymentId, gamerId, quantity, roundId } = invoice;
    const { phase, round, endsAt } = this.model;
    this.payments.set(paymentId, gamerId);
    this.world -= 30 * quantity;
    this.gamer(gamerId).purchase += 30 * quantity;
    if (phase === 'live' && roundId === round && at < endsAt) this.model.buy(gamerId, quantity, at);
  }

  private reserve(gamer: string | null, cents: number, withdrawalId: string): void {
    this.pending += cents;
    this.withdrawals.set(withdrawalId, { gamer, cents, status: 'pending' });
  }

  private update(withdrawalId: string, status: Update['status']): void {
    const withdrawal = this.withdrawals.get(withdrawalId)!;
    withdrawal.status = status;
    if (status === 'processing') return;
    this.pending -= withdrawal.cents;
    if (status === 'completed') this.world += withdrawal.cents;
    else if (withdrawal.gamer === null) this.model.profit += withdrawal.cents;
    else this.gamer(withdrawal.gamer).winnings += withdrawal.cents;
  }

  private gamer(gamerId: string): ModelGamer {
    return this.model.gamers.get(gamerId)!;
  }
}

function reasonsAgainstPayout({ amountCents }: Payout): (string | false)[] {
  return [!isAmount(amountCents) && 'invalid-withdrawal-amount', amountCents < 1_000 && 'withdrawal-below-minimum'];
}
