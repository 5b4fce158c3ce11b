import type { LedgerEvents, PayoutFailure, PayoutOrder, PlayedCents } from '../../contracts/events/ledger-events.js';
import type { WithdrawRequest } from '../../contracts/http/withdrawals.js';
import type { CommandId, DepositId, GamerId, GatewayPaymentId, Power, WithdrawalId } from '../../contracts/ids.js';
import type { LedgerAccount } from '../../contracts/ledger-accounts.js';
import type { Cents } from '../../contracts/money.js';
import type { NewYorkDay } from '../../contracts/new-york.js';
import * as protection from '../../contracts/protection.js';
import { type Game, initialGame } from '../game.js';
import { CopyOnWriteMap } from './copy-on-write-map.js';

/**
 * The state of the ledger: everything that deciding a command needs. Records are replaced, never edited. Collections that grow with
 * the gamers are CopyOnWriteMaps, so that a snapshot does not block commands. Sets only grow, or are replaced as a whole.
 */
export interface LedgerState {
  /** The admin: root of the matrix. Null before the first enrolment. */
  adminId: GamerId | null;
  game: Game;
  gamers: Map<GamerId, GamerPlace>;
  /** Gamers who neither buy, earn nor withdraw while they are staff. Few: the set is replaced as a whole. */
  staff: ReadonlySet<GamerId>;
  powers: Map<GamerId, readonly Power[]>;
  balances: Map<LedgerAccount, Cents>;
  /** Ids of all recorded gateway payments: each is recorded and credited once (decision 27). Never removed. */
  payments: Set<GatewayPaymentId>;
  /** Deposits that wait for the admin. */
  deposits: Map<DepositId, LedgerEvents['DepositRecorded']>;
  /** Withdrawals that are neither completed nor returned. */
  withdrawals: Map<WithdrawalId, OpenWithdrawal>;
  /** Outcomes of the newest settled deposits and withdrawals, oldest first: for refusing to settle them again. */
  settlements: Map<DepositId | WithdrawalId, Settlement>;
  /** Each gamer's newest time-out or self-exclusion; a removed gamer's stays. */
  exclusions: Map<GamerId, Readonly<protection.Exclusion>>;
  /** The gamers who have limits, or wait for higher ones; the oldest limits first. */
  playLimits: Map<GamerId, GamerLimits>;
  /** Each gamer's play, in the periods of the last day on which they played. */
  playSums: Map<GamerId, PlaySums>;
  profile: protection.ProtectionProfile;
  losses: readonly HistoryLoss[];
  /** True from a loss until the gateway was asked what it paid. */
  arePayoutsHeld: boolean;
  /** The gateway's payouts that no withdrawal in the log names, and that the admin settled. */
  settledPayouts: readonly string[];
  /** The revision of each newer command's first event, from which its response is replayed, by `commandKey`. */
  commands: Map<string, number>;
  /** The generation before. Both maps together cover the last 24 hours or half a million commands, whichever is less. */
  olderCommands: Map<string, number>;
  /** Ledger time at which `commands` begins; earlier ones are in `olderCommands`. */
  commandsSinceMs: number;
  /** Ledger time of the last event. */
  atMs: number;
}

export type HistoryLoss = Readonly<LedgerEvents['HistoryLost']> & { readonly atMs: number; readonly revision: number };

export interface GamerPlace {
  readonly sponsorId: GamerId | null;
  readonly parentId: GamerId | null;
  readonly slot: number | null;
  /** Children by slot; as many as the matrix is wide. */
  readonly children: readonly (GamerId | null)[];
  /** Levels from this gamer down to the nearest free slot: 0 when one of the gamer's own slots is free. */
  readonly openDepth: number;
  /** Depositor until then, inclusive, epoch ms; null when never a depositor or switched off. */
  readonly depositorUntilMs: number | null;
}

type GamerLimits = { readonly limits: protection.PlayLimits; readonly higher: protection.HigherLimits | null };

/** Sums of a gamer's play in the day, week and month of `day`; not matrix cents, which come from others' play. */
export type PlaySums = PlayedCents & { readonly day: NewYorkDay };

/** The wallet address is as in the event: a gamer's is encrypted. */
export interface OpenWithdrawal extends Readonly<WithdrawRequest> {
  /** Null for the operator's profit. */
  readonly gamerId: GamerId | null;
  readonly status: 'pending' | 'processing';
  /** The payout that the gateway was ordered to make; null before, and after its outcome. */
  readonly payout: Readonly<PayoutOrder> | null;
  /** The outcomes of earlier orders, oldest first. */
  readonly failedPayouts: readonly PayoutFailure['outcome'][];
}

export type Settlement =
  | { readonly source: 'deposit'; readonly status: 'approved' | 'rejected' }
  | { readonly source: 'winnings' | 'profit'; readonly status: 'completed' | 'returned' };

export function emptyLedger(): LedgerState {
  return {
    adminId: null,
    game: initialGame,
    gamers: new CopyOnWriteMap(),
    staff: new Set(),
    powers: new Map(),
    balances: new CopyOnWriteMap(),
    payments: new Set(),
    deposits: new Map(),
    withdrawals: new Map(),
    settlements: new Map(),
    exclusions: new CopyOnWriteMap(),
    playLimits: new CopyOnWriteMap(),
    playSums: new CopyOnWriteMap(),
    profile: protection.NO_PROFILE,
    losses: [],
    arePayoutsHeld: false,
    settledPayouts: [],
    commands: new CopyOnWriteMap(),
    olderCommands: new CopyOnWriteMap(),
    commandsSinceMs: 0,
    atMs: 0,
  };
}

export const commandKey = (actorId: string, commandId: CommandId): string => `${actorId} ${commandId}`;

/** Revision of the command's first event; undefined for an unknown or a forgotten command. */
export function revisionOfCommand({ commands, olderCommands }: LedgerState, key: string): number | undefined {
  return commands.get(key) ?? olderCommands.get(key);
}

export const balanceOf = (state: LedgerState, account: LedgerAccount): Cents => state.balances.get(account) ?? 0;

/** True until the expiry, inclusive (decision 7). Never true for the admin (decision 3). */
export function isActiveDepositor(state: LedgerState, gamerId: GamerId, atMs: number): boolean {
  const untilMs = state.gamers.get(gamerId)?.depositorUntilMs;
  return untilMs !== undefined && untilMs !== null && atMs <= untilMs && gamerId !== state.adminId;
}

/** The gamer's time-out or self-exclusion. A self-exclusion holds beyond its end, until the gamer lifts it. */
export function exclusionOf(state: LedgerState, gamerId: GamerId, atMs: number): protection.Exclusion | null {
  const exclusion = state.exclusions.get(gamerId);
  if (exclusion === undefined) return null;
  return exclusion.kind === 'self-exclusion' || atMs < exclusion.untilMs ? exclusion : null;
}

/** True for an active depositor who is neither excluded nor staff. */
export const earnsMatrixCents = (state: LedgerState, gamerId: GamerId, atMs: number): boolean =>
  isActiveDepositor(state, gamerId, atMs) && exclusionOf(state, gamerId, atMs) === null && !state.staff.has(gamerId);
