import type { ExcludedGamer } from '../../../contracts/http/protection.js';
import type { GamerId, Power, WithdrawalId } from '../../../contracts/ids.js';
import type { Exclusion, LimitInForce, LimitKind } from '../../../contracts/protection.js';
import type { Refusal } from '../../../contracts/refusals.js';
import { type Invoiced, invoiceRefusal } from '../../../domain/deposits.js';
import type { Game } from '../../../domain/game.js';
import {
  exclusionOf,
  type LedgerState,
  type LimitedPlay,
  type Loss,
  type OpenWithdrawal,
} from '../../../domain/ledger/ledger-state.js';
import { limitsInForce, mustChooseLimits, usedCents } from '../../../domain/protection-limits.js';
import { payoutRefusal } from '../../../domain/withdrawals.js';

/**
 * Reads of the state that commands are decided on. It may be ahead of the log by an append in flight, which may fail.
 * That is enough for roles, for display, and for checks that the ledger repeats.
 */
export class DecidedReads {
  /** State fields that need no derivation. */
  readonly fields: Readonly<Pick<LedgerState, 'adminId' | 'losses' | 'settledPayouts' | 'profile'>> & {
    readonly withdrawals: ReadonlyMap<WithdrawalId, OpenWithdrawal>;
    readonly limited: ReadonlyMap<GamerId, LimitedPlay>;
  };

  constructor(private readonly state: LedgerState) {
    this.fields = state;
  }

  isStaff(gamerId: GamerId): boolean {
    return this.state.staff.has(gamerId);
  }

  powersOf(gamerId: GamerId): readonly Power[] {
    return this.state.powers.get(gamerId) ?? [];
  }

  exclusionOf(gamerId: GamerId, nowMs: number): Exclusion | null {
    return exclusionOf(this.state, gamerId, nowMs);
  }

  /** Like `exclusionOf`, but a removed gamer's self-exclusion stops at its end: nobody can lift it. */
  barringExclusionOf(gamerId: GamerId, nowMs: number): Exclusion | null {
    const exclusion = this.exclusionOf(gamerId, nowMs);
    return this.state.gamers.has(gamerId) || (exclusion && exclusion.untilMs > nowMs) ? exclusion : null;
  }

  /** The gamers who are excluded now, the longest first. */
  excludedGamers(nowMs: number): Omit<ExcludedGamer, 'gamerTag'>[] {
    const { exclusions, gamers } = this.state;
    return [...exclusions.keys()]
      .flatMap((id) => {
        const exclusion = gamers.has(id) ? this.exclusionOf(id, nowMs) : null;
        return exclusion ? [{ id, ...exclusion }] : [];
      })
      .sort((one, other) => other.untilMs - one.untilMs);
  }

  /** The loss after which payouts wait; null while they do not. */
  get heldSince(): Loss | null {
    return (this.state.arePayoutsHeld && this.state.losses.at(-1)) || null;
  }

  /** Why the gateway cannot be ordered to pay a withdrawal; null when it can. */
  payoutRefusal(withdrawalId: WithdrawalId): Refusal | null {
    return payoutRefusal(this.state, withdrawalId);
  }

  limitsInForce(gamerId: GamerId, kinds: readonly LimitKind[], nowMs: number): LimitInForce[] {
    return limitsInForce(this.state, gamerId, kinds, nowMs);
  }

  usedCents(gamerId: GamerId, nowMs: number) {
    return usedCents(this.state, gamerId, nowMs);
  }

  mustChooseLimits(gamerId: GamerId): boolean {
    return mustChooseLimits(this.state, gamerId);
  }

  /** Why no invoice is created, in this game; null when it may be. */
  invoiceRefusal(game: Game, gamerId: GamerId, invoiced: Invoiced, nowMs: number): Refusal | null {
    return invoiceRefusal(this.state, game, gamerId, invoiced, nowMs);
  }
}
