import type { LedgerEvent, LedgerEvents, LedgerEventType } from '../../contracts/events/ledger-events.js';
import type { RecordedLedgerEvent } from '../../contracts/events/recorded.js';
import type { DepositId, WithdrawalId } from '../../contracts/ids.js';
import { BOARD_PURCHASES, DEFAULT_TIMERS, LATE_START_MS, MAX_REMEMBERED_SETTLEMENTS } from '../../contracts/limits.js';
import { words } from '../../contracts/words.js';
import { Auditor } from '../replay/auditor.js';
import type { Seat } from '../rules/matrix.js';

interface BoardPurchase extends Pick<LedgerEvents['TokenPurchased'], 'purchaseId' | 'buyerId' | 'quantity'> {
  atMs: number;
  addedSeconds: number;
  jackpotCents: number;
  endsAtEpochMs: number;
}

/** Events that change what the board shows. */
const BOARD_EVENTS: ReadonlySet<LedgerEventType> = new Set([
  ...words('GameStarted LiveStarted LiveResumed TokenPurchased TimeExtended RoundEnded GameReset TimersChanged'),
  ...words('GameScheduled ScheduleCancelled'),
]);

const emptyRound = () => ({
  purchases: [] as BoardPurchase[],
  purchaseCount: 0,
  tokenCount: 0,
  resumed: null as object | null,
  lateSeconds: 0,
});

/** The newest round as the nodes show it, besides phase, timers and terms: its newest purchases, sums and results. */
class Board {
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
        this.round = { ...emptyRound(), lateSeconds: lateSeconds(data.plannedAtMs ?? at, at) };
        break;
      case 'GameReset':
        this.round = emptyRound();
        break;
      case 'TokenPurchased': {
        const { purchaseId, buyerId, quantity, jackpotCents } = data;
        const newest = { purchaseId, buyerId, atMs: at, quantity, addedSeconds: 0, jackpotCents, endsAtEpochMs };
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
        round.resumed = { outageSeconds: data.outageSeconds, atMs: at };
        break;
      case 'RoundEnded': {
        const { roundId, winner, jackpotCents, endedAtMs } = data;
        const { tokenCount } = round;
        this.lastResult = { roundId, winnerId: winner?.gamerId ?? null, jackpotCents, endedAtMs, tokenCount };
        round.resumed = null;
      }
    }
  }
}

const lateSeconds = (plannedAtMs: number, at: number): number =>
  at - plannedAtMs < LATE_START_MS ? 0 : Math.floor((at - plannedAtMs) / 1000);

/** The settled thing, and its status, by types of events. */
const OUTCOMES: Partial<Record<LedgerEventType, { source: string; status: string }>> = {
  DepositApproved: { source: 'deposit', status: 'approved' },
  DepositRejected: { source: 'deposit', status: 'rejected' },
  WithdrawalCompleted: { source: 'winnings', status: 'completed' },
  WithdrawalReturned: { source: 'winnings', status: 'returned' },
  ProfitWithdrawalCompleted: { source: 'profit', status: 'completed' },
  ProfitWithdrawalReturned: { source: 'profit', status: 'returned' },
};

/** The outcomes of the newest settled deposits and withdrawals, which the nodes remember to refuse a second settlement. */
class Settled {
  readonly outcomes = new Map<DepositId | WithdrawalId, { source: string; status: string }>();

  /** Folds an event. @param isRecorded whether a deposit waited for a person before this event */
  take({ type, data }: LedgerEvent, isRecorded: (depositId: DepositId) => boolean): void {
    const outcome = OUTCOMES[type];
    if (outcome === undefined || (type === 'DepositApproved' && !isRecorded(data.depositId))) return;
    const { depositId, withdrawalId } = data as { depositId?: DepositId; withdrawalId?: WithdrawalId };
    this.outcomes.set(depositId ?? (withdrawalId as WithdrawalId), outcome);
    const [oldest] = this.outcomes.keys();
    if (this.outcomes.size > MAX_REMEMBERED_SETTLEMENTS) this.outcomes.delete(oldest as string);
  }
}

/** Computes the nodes' state by the auditor's rules, and folds what nodes remember and the auditor does not need. */
export class NodeMemory {
  readonly auditor = new Auditor();
  private readonly board = new Board();
  private readonly settled = new Settled();
  private readonly settledPayouts: string[] = [];

  take(recorded: RecordedLedgerEvent): void {
    const { event, metadata } = recorded;
    this.settled.take(event, (depositId) => this.auditor.deposits.pending.has(depositId));
    this.auditor.take(recorded);
    this.board.take(event, metadata.at, this.auditor.rounds.endsAtMs);
    if (event.type === 'PayoutSettled') this.settledPayouts.push(event.data.payoutId);
  }

  /** The state's parts by name, without the memory of commands. */
  get state(): Record<string, unknown> {
    const { accounts, entitlements, deposits, exclusions, playLimits, rounds, withdrawals, losses, at } = this.auditor;
    const { matrix, staff, powers, adminId, terms } = entitlements;
    const { phase, timers, endsAtMs, lastRoundId, plan } = rounds;
    const open =
      phase === 'idle' ? { roundId: null, endsAtEpochMs: null } : { roundId: lastRoundId, endsAtEpochMs: endsAtMs };
    const jackpotCents = accounts.of('jackpot');
    return {
      adminId,
      game: { phase, ...open, lastRoundId, jackpotCents, timers, terms, plan, ...this.board.fields },
      profile: playLimits.profile,
      losses,
      arePayoutsHeld: withdrawals.areHeld,
      settledPayouts: this.settledPayouts,
      at,
      balances: new Map(accounts.nonZero()),
      gamers: new Map([...matrix.seats].map(([gamerId, seat]) => [gamerId, placeOf(seat, matrix.width)])),
      staff,
      powers,
      payments: deposits.payments,
      deposits: deposits.pending,
      withdrawals: withdrawals.open,
      settled: this.settled.outcomes,
      exclusions: exclusions.newest,
      limited: playLimits.limited,
      usage: new Map(
        [...playLimits.played].map(([gamerId, { periodStarts, ...sums }]) => [
          gamerId,
          { day: new Date(periodStarts.day).toISOString().slice(0, 10), ...sums },
        ]),
      ),
    };
  }
}

function placeOf({ sponsorId, parent, slot, children, distance, depositorUntilMs }: Seat, width: number): object {
  return {
    sponsorId,
    parentId: parent?.gamerId ?? null,
    slot: parent === null ? null : slot,
    children: Array.from({ length: width }, (_, index) => children[index]?.gamerId ?? null),
    openDepth: distance,
    depositorUntilMs,
  };
}
