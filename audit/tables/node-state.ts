import type { LedgerEvent, LedgerEvents, LedgerEventType } from '../../contracts/events/ledger-events.js';
import type { DepositId, WithdrawalId } from '../../contracts/ids.js';
import { BOARD_PURCHASES, DEFAULT_TIMERS, MAX_REMEMBERED_SETTLEMENTS } from '../../contracts/limits.js';
import type { Auditor } from '../replay/auditor.js';
import type { Seat } from '../rules/matrix.js';

/* The nodes' state by the auditor's own rules, with the names that snapshots have. */

/** Everything in the nodes' state that is neither a collection nor the memory of commands, by its name. */
export function expectedFields(auditor: Auditor): Record<string, unknown> {
  const { accounts, entitlements, phases, rounds, playLimits, board, at } = auditor;
  const { phase, timers, endsAtMs } = phases;
  const isIdle = phase === 'idle';
  return {
    adminId: entitlements.adminId,
    game: {
      phase,
      roundId: isIdle ? null : rounds.lastRoundId,
      lastRoundId: rounds.lastRoundId,
      endsAtEpochMs: isIdle ? null : endsAtMs,
      jackpotCents: accounts.of('jackpot'),
      timers,
      terms: entitlements.terms,
      ...board.fields,
    },
    purchaseTree: rounds.tree,
    profile: playLimits.profile,
    at,
  };
}

/** The collections of the nodes' state, by their names. */
export function expectedCollections(
  auditor: Auditor,
): Record<string, ReadonlyMap<string, unknown> | ReadonlySet<string>> {
  const { accounts, entitlements, deposits, exclusions, playLimits, settled, withdrawals } = auditor;
  const { matrix, staff, powers } = entitlements;
  return {
    balances: new Map<string, number>(accounts.nonZero()),
    gamers: new Map([...matrix.seats].map(([gamerId, seat]) => [gamerId, placeOf(seat, matrix.width)])),
    staff,
    powers,
    payments: deposits.payments,
    deposits: deposits.pending,
    withdrawals: withdrawals.open,
    settled: settled.outcomes,
    exclusions: exclusions.newest,
    limited: playLimits.limited,
    usage: playLimits.usage(),
  };
}

function placeOf({ sponsorId, parent, slot, children, distance, depositorUntilMs }: Seat, width: number): object {
  return {
    sponsorId,
    parentId: parent?.gamerId ?? null,
    slot: parent === null ? null : slot,
    children: Array.from({ length: width }, (_, index) => children[index]?.gamerId ?? null),
    openDepth: distance,
    depositorUntilEpochMs: depositorUntilMs,
  };
}

interface BoardPurchase extends Pick<LedgerEvents['TokenPurchased'], 'purchaseId' | 'buyerId' | 'quantity'> {
  atEpochMs: number;
  addedSeconds: number;
  jackpotCents: number;
  endsAtEpochMs: number;
}

/** Events that change what the board shows. */
const BOARD_EVENTS: ReadonlySet<LedgerEventType> = new Set([
  'GameStarted',
  'LiveStarted',
  'LiveResumed',
  'TokenPurchased',
  'TimeExtended',
  'RoundEnded',
  'GameReset',
  'TimersChanged',
]);

const emptyRound = () => ({
  purchases: [] as BoardPurchase[],
  purchaseCount: 0,
  tokenCount: 0,
  resumed: null as object | null,
});

/** The newest round as the nodes show it, besides phase, timers and terms: its newest purchases, sums and results. */
export class Board {
  private round = emptyRound();
  private roundExtensionSeconds: number = DEFAULT_TIMERS.tokenExtensionSeconds;
  private lastResult: object | null = null;
  private version = 0;

  get fields() {
    const { round, roundExtensionSeconds, lastResult, version } = this;
    return { ...round, roundExtensionSeconds, lastResult, version };
  }

  /** Folds an event. @param endsAtEpochMs end of the phase after the event */
  take({ type, data }: LedgerEvent, at: number, endsAtEpochMs: number): void {
    if (BOARD_EVENTS.has(type)) this.version += 1;
    const { round } = this;
    switch (type) {
      case 'GameStarted':
        this.roundExtensionSeconds = data.timers.tokenExtensionSeconds;
        this.round = emptyRound();
        break;
      case 'GameReset':
        this.round = emptyRound();
        break;
      case 'TokenPurchased': {
        const { purchaseId, buyerId, quantity, jackpotCents } = data;
        const newest = { purchaseId, buyerId, atEpochMs: at, quantity, addedSeconds: 0, jackpotCents, endsAtEpochMs };
        round.purchases.unshift(newest);
        if (round.purchases.length > BOARD_PURCHASES) round.purchases.pop();
        round.purchaseCount += 1;
        round.tokenCount += quantity;
        break;
      }
      case 'TimeExtended':
        Object.assign(round.purchases[0] ?? {}, { addedSeconds: data.addedSeconds, endsAtEpochMs });
        break;
      case 'LiveResumed':
        round.resumed = { outageSeconds: data.outageSeconds, atEpochMs: at };
        break;
      case 'RoundEnded': {
        const { roundId, winner, jackpotCents, endedAtEpochMs } = data;
        const { tokenCount } = round;
        this.lastResult = { roundId, winnerId: winner?.gamerId ?? null, jackpotCents, endedAtEpochMs, tokenCount };
        round.resumed = null;
      }
    }
  }
}

/** The outcomes of the newest settled deposits and withdrawals, which the nodes remember to refuse a second settlement. */
export class Settled {
  readonly outcomes = new Map<DepositId | WithdrawalId, { of: string; status: string }>();

  /** Folds an event. @param isRecorded whether a deposit waited for a person before this event */
  take({ type, data }: LedgerEvent, isRecorded: (depositId: DepositId) => boolean): void {
    switch (type) {
      case 'DepositApproved':
        if (isRecorded(data.depositId)) this.add(data.depositId, 'deposit', 'approved');
        break;
      case 'DepositRejected':
        this.add(data.depositId, 'deposit', 'rejected');
        break;
      case 'WithdrawalCompleted':
      case 'WithdrawalReturned':
        this.add(data.withdrawalId, 'winnings', type === 'WithdrawalCompleted' ? 'completed' : 'returned');
        break;
      case 'ProfitWithdrawalCompleted':
      case 'ProfitWithdrawalReturned':
        this.add(data.withdrawalId, 'profit', type === 'ProfitWithdrawalCompleted' ? 'completed' : 'returned');
        break;
    }
  }

  private add(id: DepositId | WithdrawalId, of: string, status: string): void {
    this.outcomes.set(id, { of, status });
    const [oldest] = this.outcomes.keys();
    if (this.outcomes.size > MAX_REMEMBERED_SETTLEMENTS) this.outcomes.delete(oldest as string);
  }
}
