import type { LedgerEvent, LedgerEvents } from '../../contracts/events/ledger-events.js';
import type { GamerId } from '../../contracts/ids.js';
import { faultsOf } from '../replay/finding.js';

const DAY = 86_400_000;
/** Lengths in days that a gamer may choose. */
const LENGTHS = { 'time-out': [1, 7, 30, 42], 'self-exclusion': [184, 366, 731, 1096, 1827] };

/** Checks that an excluded gamer does not play, and that an exclusion is never shortened or lifted early (decision 55). */
export class Exclusions {
  private readonly newest = new Map<GamerId, { isForGood: boolean; end: number }>();

  /** True while a time-out runs, and from a self-exclusion's beginning until a day after the gamer lifted it. */
  isExcluded(gamerId: GamerId, at: number): boolean {
    const exclusion = this.newest.get(gamerId);
    return exclusion !== undefined && (exclusion.isForGood || exclusion.end > at);
  }

  /** Number of gamers who were ever excluded. */
  get count(): number {
    return this.newest.size;
  }

  /** The gamer's newest exclusion, by the names of the nodes' state; undefined without one. */
  newestOf(gamerId: GamerId): object | undefined {
    const exclusion = this.newest.get(gamerId);
    if (exclusion === undefined) return undefined;
    return { kind: exclusion.isForGood ? 'self-exclusion' : 'time-out', untilEpochMs: exclusion.end };
  }

  /** Folds an event and returns its faults. */
  take({ type, data }: LedgerEvent, at: number): string[] {
    switch (type) {
      case 'GamerExcluded':
        return this.begin(data, at);
      case 'ExclusionLifted': {
        const before = this.newest.get(data.gamerId);
        this.newest.set(data.gamerId, { isForGood: false, end: data.playsFromEpochMs });
        return faultsOf([
          [!before?.isForGood, `lifts a self-exclusion that ${data.gamerId} does not have`],
          [before?.isForGood === true && at < before.end, 'lifts a self-exclusion before its end'],
          [data.playsFromEpochMs !== at + DAY, 'does not wait a day'],
        ]);
      }
      case 'TokenPurchased':
        return this.playFaults(data.buyerId, at, 'buys');
      case 'WinningsTransferred':
        return this.playFaults(data.gamerId, at, 'transfers winnings');
      case 'BalanceReleased':
        return faultsOf([
          [!this.isExcluded(data.gamerId, at), `releases the balance of ${data.gamerId}, who is not excluded`],
          [data.purchaseBalanceCents !== 0, 'releases less than the whole purchase balance'],
        ]);
      default:
        return [];
    }
  }

  private begin({ gamerId, kind, untilEpochMs }: LedgerEvents['GamerExcluded'], at: number): string[] {
    const before = this.isExcluded(gamerId, at) ? this.newest.get(gamerId) : undefined;
    const isForGood = kind === 'self-exclusion';
    this.newest.set(gamerId, { isForGood, end: untilEpochMs });
    const days = (untilEpochMs - at) / DAY;
    return faultsOf([
      [!LENGTHS[kind].includes(days), `is for ${days} days, which is no length of a ${kind}`],
      [
        before !== undefined && (untilEpochMs <= before.end || (before.isForGood && !isForGood)),
        `shortens the exclusion of ${gamerId}`,
      ],
    ]);
  }

  private playFaults(gamerId: GamerId, at: number, what: string): string[] {
    return this.isExcluded(gamerId, at) ? [`${what} for ${gamerId}, who is excluded`] : [];
  }
}
