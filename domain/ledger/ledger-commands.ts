import type { LedgerEvent, LedgerEvents, PayoutFailure } from '../../contracts/events/ledger-events.js';
import type { Actor } from '../../contracts/events/metadata.js';
import type { WithdrawalStatus, WithdrawRequest } from '../../contracts/http/withdrawals.js';
import type * as ids from '../../contracts/ids.js';
import type * as limits from '../../contracts/limits.js';
import type { LocalTime } from '../../contracts/local-times.js';
import type * as protection from '../../contracts/protection.js';
import type { Refusal } from '../../contracts/refusals.js';
import type { LedgerState } from './ledger-state.js';

/** Holds only the sender's choices: their hash tells a replay from another command with the same id. */
export type LedgerCommand =
  /** The admin takes the root of the matrix; the first command ever. */
  | { type: 'EnrolAdmin'; gamerId: ids.GamerId }
  | { type: 'EnrolGamer'; gamerId: ids.GamerId; sponsorId: ids.GamerId | null }
  | { type: 'StartGame' }
  | { type: 'ForceStartLive' }
  | { type: 'ResetGame'; reason: string }
  /** `expectedVersion`: refused unless these are the timers. */
  | { type: 'ChangeTimers'; timers: limits.TimerSettings; expectedVersion?: string }
  | { type: 'ScheduleGame'; localTime: LocalTime; timeZone: string; repeat: limits.PlanRepeat }
  | { type: 'CancelSchedule'; startsAtMs: number }
  /** Sent by the timekeeper. `lastAliveAtMs`: the last time when any api node had contact with log and tables. */
  | { type: 'AdvanceClock'; lastAliveAtMs: number }
  | { type: 'BuyTokens'; buyerId: ids.GamerId; quantity: number }
  | { type: 'TransferWinnings'; gamerId: ids.GamerId; amountCents: number }
  | { type: 'AdjustBalance'; gamerId: ids.GamerId; purchaseCents: number; winningsCents: number; reason: string }
  | { type: 'SetDepositorStatus'; gamerId: ids.GamerId; isDepositor: boolean }
  /** Absent `powers` stay as they are; the end of the staff status ends them. */
  | { type: 'SetStaffStatus'; gamerId: ids.GamerId; isStaff: boolean; powers?: readonly ids.Power[] }
  | { type: 'CreditDeposit'; paymentId: ids.GatewayPaymentId; gamerId: ids.GamerId; money: DepositMoney }
  | ({ type: 'RecordDeposit'; money: DepositMoney } & RecordedDeposit)
  /** `gamerId` assigns a gamer; null keeps the recorded one. Only a reason takes a payment from its recorded gamer. */
  | { type: 'ApproveDeposit'; depositId: ids.DepositId; gamerId: ids.GamerId | null; reassignmentReason?: string }
  | { type: 'RejectDeposit'; depositId: ids.DepositId; adminNotes: string | null }
  | ({ type: 'SettleInvoice'; roundId: ids.RoundId | null } & PaidInvoice)
  | { type: 'RequestWithdrawal'; gamerId: ids.GamerId; request: WithdrawRequest }
  | { type: 'CancelWithdrawal'; gamerId: ids.GamerId; withdrawalId: ids.WithdrawalId }
  /** `expectedVersion`: refused unless `versionOf` its status is this. */
  | { type: 'UpdateWithdrawal'; withdrawalId: ids.WithdrawalId; update: WithdrawalUpdate; expectedVersion?: string }
  /** The gateway has this batch, which sends nothing before its code is entered. All are ordered, or none. */
  | { type: 'OrderPayouts'; batchId: string; payouts: readonly BatchPayout[] }
  /** Sent by the system: what the gateway says of an ordered payout. */
  | ({ type: 'RecordPayoutOutcome'; withdrawalId: ids.WithdrawalId; payoutId: string } & PayoutOutcome)
  | { type: 'RequestProfitWithdrawal'; request: WithdrawRequest }
  | { type: 'UpdateProfitWithdrawal'; withdrawalId: ids.WithdrawalId; update: WithdrawalUpdate }
  | { type: 'ExcludeGamer'; gamerId: ids.GamerId; kind: protection.ExclusionKind; days: number }
  /** Excludes an account because another account of the same person is excluded, until the same end. */
  | { type: 'ShareExclusion'; gamerId: ids.GamerId; from: ids.GamerId }
  | { type: 'LiftExclusion'; gamerId: ids.GamerId }
  | { type: 'ReleaseBalance'; gamerId: ids.GamerId }
  | { type: 'SetLimits'; gamerId: ids.GamerId; limits: protection.PlayLimits }
  | { type: 'ConfirmLimits'; gamerId: ids.GamerId }
  /** Sent at a node's start, by its setting. */
  | ({ type: 'SetProtectionProfile' } & protection.ProtectionProfile)
  | { type: 'RemoveGamer'; gamerId: ids.GamerId }
  /** Sent by an operator at the server, never over HTTP. */
  | { type: 'AcceptLoss'; signed: SignedHeadFields; acceptedBy: string; reason: string }
  | { type: 'SettlePayout'; payoutId: string; adminNotes: string }
  /** Sent by the system once the gateway was asked; by an admin with a reason when it cannot be asked. */
  | { type: 'ReleasePayouts'; paymentCount: number; payoutCount: number; reason: string | null };

type RecordedDeposit = Pick<LedgerEvents['DepositRecorded'], 'paymentId' | 'purpose' | 'gamerId' | 'reason'>;
/** `amountCents` is the tokens' price when the invoice was made. */
type PaidInvoice = Omit<LedgerEvents['InvoiceCredited'], 'purchaseBalanceCents'>;
type SignedHeadFields = Pick<LedgerEvents['HistoryLost'], 'signedOrigin' | 'signedSize' | 'signedRoot'>;

export type CommandOf<T extends LedgerCommand['type']> = Extract<LedgerCommand, { type: T }>;

export type DepositMoney = Pick<LedgerEvents['DepositApproved'], 'amountCents' | 'feeCents' | 'cryptoType'>;

export type BatchPayout = Pick<LedgerEvents['PayoutOrdered'], 'withdrawalId' | 'payoutId' | 'amount'>;

export interface PayoutOutcome extends Omit<PayoutFailure, 'outcome'> {
  status: 'finished' | 'failed' | 'rejected';
}

export interface WithdrawalUpdate {
  status: Exclude<WithdrawalStatus, 'pending'>;
  adminNotes: string | null;
  txid: string | null;
}

/** A command's sender, idempotency key and arrival. A second command with the same key gets the first one's response. */
export interface CommandMetadata {
  actor: Actor;
  commandId: ids.CommandId;
  /** Arrival of the command, epoch ms; absent: when the ledger gets it. */
  receivedAtMs?: number;
  /** The version of the record that the sender read; absent: whichever it has. */
  expectedVersion?: string;
}

export interface CommandContext {
  /** Ledger time, epoch ms: when the command is decided, never earlier than the last event's time. */
  atMs: number;
  /** Arrival of the command, epoch ms; never later than `at`. */
  receivedAtMs: number;
  actor: Actor;
  /** A new id for the purchase, deposit or withdrawal that the command may create. */
  freshId: string;
}

/** Accepted or refused. An accepted command may need no events. */
export type Decision = { events: LedgerEvent[]; refusal?: undefined } | { refusal: Refusal };

/** Decides a type of command. Pure: reads `state` and changes nothing. */
export type Decider<T extends LedgerCommand['type']> = (
  state: LedgerState,
  command: CommandOf<T>,
  context: CommandContext,
) => Decision;

export const accept = (...events: LedgerEvent[]): Decision => ({ events });
export const refuse = (refusal: Refusal): Decision => ({ refusal });
