import type { CryptoType } from '../contracts/crypto.js';
import type { LedgerEvent, ReviewReason } from '../contracts/events/ledger-events.js';
import type { Actor } from '../contracts/events/metadata.js';
import type { WithdrawalStatus } from '../contracts/http/withdrawals.js';
import type { DepositId, GamerId, GatewayPaymentId, RoundId, WithdrawalId } from '../contracts/ids.js';
import type { TimerSettings } from '../contracts/limits.js';
import type { Refusal } from '../contracts/messages.js';

/** What can be asked of the ledger. A command holds only what its sender chose: its hash is what makes a repeat a repeat. */
export type LedgerCommand =
  /** The admin takes the root of the matrix; the first command ever. */
  | { type: 'EnrolHouse'; gamerId: GamerId }
  | { type: 'EnrolGamer'; gamerId: GamerId; sponsorId: GamerId | null }
  | { type: 'StartGame' }
  | { type: 'ForceStartLive' }
  | { type: 'ResetGame'; reason: string }
  | { type: 'ChangeTimers'; timers: TimerSettings }
  /** The timekeeper's: do what is due. `lastAliveAtEpochMs` is when any api node last had contact with log and tables. */
  | { type: 'AdvanceClock'; lastAliveAtEpochMs: number }
  | { type: 'BuyTokens'; buyerId: GamerId; quantity: number }
  | { type: 'TransferWinnings'; gamerId: GamerId; amountCents: number }
  | { type: 'AdjustBalance'; gamerId: GamerId; purchaseCents: number; winningsCents: number; reason: string }
  | { type: 'SetDepositorStatus'; gamerId: GamerId; isDepositor: boolean }
  /** A payment that arrived in full and in time: a deposit credits itself. */
  | { type: 'CreditDeposit'; paymentId: GatewayPaymentId; gamerId: GamerId; money: DepositMoney }
  /** Any other payment: it waits for the admin. */
  | {
      type: 'RecordDeposit';
      paymentId: GatewayPaymentId;
      purpose: 'deposit' | 'tokens';
      gamerId: GamerId | null;
      money: DepositMoney;
      reason: ReviewReason;
    }
  /** The admin's: `gamerId` assigns a gamer, null keeps the recorded one. */
  | { type: 'ApproveDeposit'; depositId: DepositId; gamerId: GamerId | null }
  | { type: 'RejectDeposit'; depositId: DepositId; adminNotes: string | null }
  /** A token invoice was paid in full: it buys while its own round is live, else it is credited (decision 29). */
  | {
      type: 'SettleInvoice';
      paymentId: GatewayPaymentId;
      gamerId: GamerId;
      quantity: number;
      roundId: RoundId | null;
      cryptoType: CryptoType;
    }
  | { type: 'RequestWithdrawal'; gamerId: GamerId; payout: Payout }
  | { type: 'UpdateWithdrawal'; withdrawalId: WithdrawalId; update: WithdrawalUpdate }
  | { type: 'RequestProfitWithdrawal'; payout: Payout }
  | { type: 'UpdateProfitWithdrawal'; withdrawalId: WithdrawalId; update: WithdrawalUpdate }
  | { type: 'RemoveGamer'; gamerId: GamerId };

export interface DepositMoney {
  /** To the gamer. */
  amountCents: number;
  /** To the house. */
  feeCents: number;
  cryptoType: CryptoType;
}

export interface Payout {
  amountCents: number;
  cryptoType: CryptoType;
  walletAddress: string;
}

export interface WithdrawalUpdate {
  status: Exclude<WithdrawalStatus, 'pending'>;
  adminNotes: string | null;
  txid: string | null;
}

/** Time, identity and randomness, as arguments. */
export interface CommandContext {
  /** Ledger time, epoch milliseconds: the command's arrival, never earlier than the last event's time. */
  at: number;
  actor: Actor;
  /** A fresh id for what this command may create (a purchase, a deposit, a withdrawal). */
  freshId: string;
}

/** Accepted (an empty list: nothing was to be done) or refused. */
export type Decision = { events: LedgerEvent[]; refusal?: undefined } | { refusal: Refusal };

export const accept = (...events: LedgerEvent[]): Decision => ({ events });
export const refuse = (refusal: Refusal): Decision => ({ refusal });
