import { DAY_MS } from '../../contracts/durations.js';
import type { LedgerEvent, LedgerEvents } from '../../contracts/events/ledger-events.js';
import type { GamerId } from '../../contracts/ids.js';
import { EXCLUSION_DAYS } from '../../contracts/protection.js';
import type { FaultReporter } from '../replay/finding.js';

/** Checks that an excluded gamer does not play, and that an exclusion is never shortened or lifted early (decision 55). */
export class Exclusions {
  /** Exclusions by gamer, with the names of the nodes' state. */
  readonly newest = new Map<GamerId, Pick<LedgerEvents['GamerExcluded'], 'kind' | 'untilMs'>>();

  constructor(private readonly fault: FaultReporter) {}

  /** True while a time-out runs, and from a self-exclusion's beginning until a day after the gamer lifted it. */
  isExcluded(gamerId: GamerId, at: number): boolean {
    const exclusion = this.newest.get(gamerId);
    return exclusion !== undefined && (exclusion.kind === 'self-exclusion' || exclusion.untilMs > at);
  }

  take({ type, data }: LedgerEvent, at: number) {
    switch (type) {
      case 'GamerExcluded':
        return this.begin(data, at);
      case 'ExclusionLifted': {
        const before = this.newest.get(data.gamerId);
        if (before?.kind !== 'self-exclusion') this.fault(`lifts a self-exclusion that ${data.gamerId} does not have`);
        else if (at < before.untilMs) this.fault('lifts a self-exclusion before its end');
        if (data.playsFromMs !== at + DAY_MS) this.fault('does not wait a day');
        this.newest.set(data.gamerId, { kind: 'time-out', untilMs: data.playsFromMs });
        return;
      }
      case 'TokenPurchased':
        return this.checkPlay(data.buyerId, at, 'buys');
      case 'WinningsTransferred':
        return this.checkPlay(data.gamerId, at, 'transfers winnings');
      case 'BalanceReleased':
        if (!this.isExcluded(data.gamerId, at))
          this.fault(`releases the balance of ${data.gamerId}, who is not excluded`);
        if (data.purchaseBalanceCents !== 0) this.fault('releases less than the whole purchase balance');
    }
  }

  private begin({ gamerId, kind, untilMs }: LedgerEvents['GamerExcluded'], at: number): void {
    const before = this.isExcluded(gamerId, at) ? this.newest.get(gamerId) : undefined;
    const days = (untilMs - at) / DAY_MS;
    // Another account of the same person gets the same end.
    const isShared = [...this.newest.values()].some((one) => one.kind === kind && one.untilMs === untilMs);
    if (!EXCLUSION_DAYS[kind].some((one) => one === days) && !isShared)
      this.fault(`is for ${days} days, which is not a length of a ${kind}`);
    const isWeaker = before?.kind === 'self-exclusion' && kind === 'time-out';
    const isShorter = before !== undefined && untilMs <= before.untilMs;
    if (isWeaker || isShorter) this.fault(`shortens the exclusion of ${gamerId}`);
    this.newest.set(gamerId, { kind, untilMs });
  }

  private checkPlay(gamerId: GamerId, at: number, what: string): void {
    if (this.isExcluded(gamerId, at)) this.fault(`${what} for ${gamerId}, who is excluded`);
  }
}
