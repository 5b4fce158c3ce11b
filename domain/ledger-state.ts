import type { DepositRecorded } from '../contracts/events/ledger-events.js';
import type { CommandId, DepositId, GamerId, GatewayPaymentId, WithdrawalId } from '../contracts/ids.js';
import type { LedgerAccount } from '../contracts/ledger-accounts.js';
import type { Cents } from '../contracts/money.js';
import { type Game, initialGame } from './game.js';
import { emptyTree, type MerkleTree } from './merkle.js';

/** The folded ledger: all that is needed to decide the next command. Records are replaced, never edited. */
export interface LedgerState {
  /** The admin: root of the matrix. Null before the first enrolment. */
  houseId: GamerId | null;
  game: Game;
  /** Over this round's purchases, in order. */
  purchaseTree: MerkleTree;
  gamers: Map<GamerId, GamerPlace>;
  /** Accounts that were ever posted to. */
  balances: Map<LedgerAccount, Cents>;
  /** Every gateway payment the ledger has ever seen, by its id alone: it is recorded, and credited, once (decision 27). */
  payments: Set<GatewayPaymentId>;
  /** Those that wait for the admin. */
  deposits: Map<DepositId, DepositRecorded['data']>;
  /** Those that are neither completed nor returned. */
  withdrawals: Map<WithdrawalId, Withdrawal>;
  /** How the last deposits and withdrawals were settled, oldest first: for whoever would settle them again. */
  settled: Map<DepositId | WithdrawalId, Settled>;
  /** By `actor command-id`, for 24 hours, oldest first. */
  commands: Map<string, RememberedCommand>;
  /** Ledger time of the last event. */
  at: number;
}

export interface GamerPlace {
  readonly sponsorId: GamerId | null;
  readonly parentId: GamerId | null;
  readonly slot: 0 | 1 | 2 | null;
  readonly children: readonly [GamerId | null, GamerId | null, GamerId | null];
  /** How many levels below this gamer the nearest free slot is: 0 when one of the three here is free. */
  readonly openDepth: number;
  /** Active until then, inclusive; null when never or switched off. Epoch ms. */
  readonly depositorUntilEpochMs: number | null;
}

export interface Withdrawal {
  /** Null for the admin's profit. */
  readonly gamerId: GamerId | null;
  readonly amountCents: Cents;
  readonly status: 'pending' | 'processing';
}

/** `profit` is the admin's own withdrawal. */
export type Settled =
  | { readonly of: 'deposit'; readonly status: 'approved' | 'rejected' }
  | { readonly of: 'winnings' | 'profit'; readonly status: 'completed' | 'returned' };

export interface RememberedCommand {
  commandHash: string;
  /** Of its first event in the stream `ledger`. */
  revision: number;
  at: number;
}

export const rememberedKey = (actorId: string, commandId: CommandId): string => `${actorId} ${commandId}`;

export function emptyLedger(): LedgerState {
  return {
    houseId: null,
    game: initialGame,
    purchaseTree: emptyTree,
    gamers: new Map(),
    balances: new Map(),
    payments: new Set(),
    deposits: new Map(),
    withdrawals: new Map(),
    settled: new Map(),
    commands: new Map(),
    at: 0,
  };
}

export const balanceOf = (state: LedgerState, account: LedgerAccount): Cents => state.balances.get(account) ?? 0;

/** Expiry inclusive (decision 7). The house is never one (decision 3). */
export function isActiveDepositor(state: LedgerState, gamerId: GamerId, at: number): boolean {
  const until = state.gamers.get(gamerId)?.depositorUntilEpochMs;
  return until !== undefined && until !== null && at <= until && gamerId !== state.houseId;
}
