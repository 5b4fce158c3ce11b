import type { LedgerEvent, LedgerEvents } from '../../contracts/events/ledger-events.js';
import type { GamerId } from '../../contracts/ids.js';
import { EXCLUSION_DAYS } from '../../contracts/limits.js';
import { DAY_MS, faultsOf } from '../replay/finding.js';

/** Checks that an excluded gamer does not play, and that an exclusion is never shortened or lifted early (decision 55). */
export class Exclusions {
  /** By gamer, with the names of the nodes' state. */
  readonly newest = new Map<GamerId, Pick<LedgerEvents['GamerExcluded'], 'kind' | 'untilEpochMs'>>();

  /** True while a time-out runs, and from a self-exclusion's beginning until a day after the gamer lifted it. */
  isExcluded(gamerId: GamerId, at: number): boolean {
    const exclusion = this.newest.get(gamerId);
    return exclusion !== undefined && (exclusion.kind === 'self-exclusion' || exclusion.untilEpochMs > at);
  }

  take({ type, data }: LedgerEvent, at: number): string[] {
    switch (type) {
      case 'GamerExcluded':
        return this.begin(data, at);
      case 'ExclusionLifted': {
        const before = this.newest.get(data.gamerId);
        this.newest.set(data.gamerId, { kind: 'time-out', untilEpochMs: data.playsFromEpochMs });
        const isSelfExclusion = before?.kind === 'self-exclusion';
        return faultsOf([
          [!isSelfExclusion, `lifts a self-exclusion that ${data.gamerId} does not have`],
          [isSelfExclusion && at < before.untilEpochMs, 'lifts a self-exclusion before its end'],
          [data.playsFromEpochMs !== at + DAY_MS, 'does not wait a day'],
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
    // Another account of the same person gets the same end.
    const isShared = [...this.newest.values()].some((one) => one.kind === kind && one.untilEpochMs === untilEpochMs);
    this.newest.set(gamerId, { kind, untilEpochMs });
    const days = (untilEpochMs - at) / DAY_MS;
    const isWeaker = before?.kind === 'self-exclusion' && kind === 'time-out';
    const isShorter = before !== undefined && untilEpochMs <= before.untilEpochMs;
    return faultsOf([
      [
        !EXCLUSION_DAYS[kind].some((one) => one === days) && !isShared,
        `is for ${days} days, which is no length of a ${kind}`,
      ],
      [isWeaker || isShorter, `shortens the exclusion of ${gamerId}`],
    ]);
  }

  private playFaults(gamerId: GamerId, at: number, what: string): string[] {
    return this.isExcluded(gamerId, at) ? [`${what} for ${gamerId}, who is excluded`] : [];
  }
}
