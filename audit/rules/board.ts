import type { LedgerEvent, LedgerEvents, LedgerEventType } from '../../contracts/events/ledger-events.js';
import { BOARD_PURCHASES, DEFAULT_TIMERS } from '../../contracts/limits.js';

interface BoardPurchase extends Pick<LedgerEvents['TokenPurchased'], 'purchaseId' | 'buyerId' | 'quantity'> {
  atEpochMs: number;
  addedSeconds: number;
  jackpotCents: number;
  endsAtEpochMs: number;
}

/** Events that change what the board shows. */
const CHANGES: ReadonlySet<LedgerEventType> = new Set([
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

  /** By the names of the nodes' state. */
  get fields() {
    const { round, roundExtensionSeconds, lastResult, version } = this;
    return { ...round, roundExtensionSeconds, lastResult, version };
  }

  /** Folds an event. @param endsAtEpochMs end of the phase after the event */
  take(event: LedgerEvent, at: number, endsAtEpochMs: number): void {
    if (CHANGES.has(event.type)) this.version += 1;
    switch (event.type) {
      case 'GameStarted':
        this.roundExtensionSeconds = event.data.timers.tokenExtensionSeconds;
        this.round = emptyRound();
        return;
      case 'GameReset':
        this.round = emptyRound();
        return;
      case 'TokenPurchased':
        this.buy(event.data, at, endsAtEpochMs);
        return;
      case 'TimeExtended': {
        const [newest] = this.round.purchases;
        if (newest !== undefined) Object.assign(newest, { addedSeconds: event.data.addedSeconds, endsAtEpochMs });
        return;
      }
      case 'LiveResumed':
        this.round.resumed = { outageSeconds: event.data.outageSeconds, atEpochMs: at };
        return;
      case 'RoundEnded': {
        const { roundId, winner, jackpotCents, endedAtEpochMs } = event.data;
        const { tokenCount } = this.round;
        this.lastResult = { roundId, winnerId: winner?.gamerId ?? null, jackpotCents, endedAtEpochMs, tokenCount };
        this.round.resumed = null;
      }
    }
  }

  private buy(bought: LedgerEvents['TokenPurchased'], at: number, endsAtEpochMs: number): void {
    const { purchaseId, buyerId, quantity, jackpotCents } = bought;
    const { round } = this;
    const newest = { purchaseId, buyerId, atEpochMs: at, quantity, addedSeconds: 0, jackpotCents, endsAtEpochMs };
    round.purchases.unshift(newest);
    if (round.purchases.length > BOARD_PURCHASES) round.purchases.pop();
    round.purchaseCount += 1;
    round.tokenCount += quantity;
  }
}
