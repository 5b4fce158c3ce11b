import { DAY_MS } from '../contracts/durations.js';
import type { LedgerEvents } from '../contracts/events/ledger-events.js';
import type { GamerId } from '../contracts/ids.js';
import { purchaseAccount } from '../contracts/ledger-accounts.js';
import { COOLING_OFF_MS, EXCLUSION_DAYS, type Exclusion } from '../contracts/protection.js';
import { accept, type Decider, type Decision, refuse } from './ledger/ledger-commands.js';
import { balanceOf, exclusionOf, type LedgerState } from './ledger/ledger-state.js';

/*
 * Time-outs and self-exclusion (decision 55). Nobody can make one shorter. A time-out ends by itself; a self-exclusion stays in force
 * after its end, until the gamer lifts it, and a day later the gamer plays again.
 */

export const excludeGamer: Decider<'ExcludeGamer'> = (state, { gamerId, kind, days }, { atMs }) => {
  if (!state.gamers.has(gamerId) || gamerId === state.adminId) return refuse({ code: 'gamer-not-found' });
  if (!(EXCLUSION_DAYS[kind] as readonly number[] | undefined)?.includes(days))
    return refuse({ code: 'invalid-exclusion' });
  return begin(state, { gamerId, kind, untilMs: atMs + days * DAY_MS }, atMs);
};

export const shareExclusion: Decider<'ShareExclusion'> = (state, { gamerId, from }, { atMs }) => {
  if (!state.gamers.has(gamerId) || gamerId === state.adminId) return refuse({ code: 'gamer-not-found' });
  const exclusion = state.exclusions.get(from);
  if (!exclusion || exclusion.untilMs <= atMs) return refuse({ code: 'invalid-exclusion' });
  return begin(state, { gamerId, kind: exclusion.kind, untilMs: exclusion.untilMs }, atMs);
};

function begin(state: LedgerState, data: LedgerEvents['GamerExcluded'], atMs: number): Decision {
  const current = exclusionOf(state, data.gamerId, atMs);
  const isWeaker = current?.kind === 'self-exclusion' && data.kind === 'time-out';
  if (current && (isWeaker || data.untilMs <= current.untilMs))
    return refuse({ code: 'exclusion-only-longer', parameters: current });
  return accept({ type: 'GamerExcluded', data });
}

export const liftExclusion: Decider<'LiftExclusion'> = (state, { gamerId }, { atMs }) => {
  if (!state.gamers.has(gamerId)) return refuse({ code: 'gamer-not-found' });
  const exclusion = exclusionOf(state, gamerId, atMs);
  if (exclusion?.kind !== 'self-exclusion') return refuse({ code: 'not-self-excluded' });
  if (atMs < exclusion.untilMs) return refuse({ code: 'exclusion-not-over', parameters: exclusion });
  return accept({ type: 'ExclusionLifted', data: { gamerId, playsFromMs: atMs + COOLING_OFF_MS } });
};

/** Like `exclusionOf`, but a removed gamer's self-exclusion stops at its end: nobody can lift it. */
export function barringExclusionOf(state: LedgerState, gamerId: GamerId, atMs: number): Exclusion | null {
  const exclusion = exclusionOf(state, gamerId, atMs);
  return state.gamers.has(gamerId) || (exclusion && exclusion.untilMs > atMs) ? exclusion : null;
}

/** The gamers who are excluded now, the longest first. */
export function excludedGamers(state: LedgerState, atMs: number): (Exclusion & { id: GamerId })[] {
  return [...state.exclusions.keys()]
    .flatMap((id) => {
      const exclusion = state.gamers.has(id) ? exclusionOf(state, id, atMs) : null;
      return exclusion ? [{ id, ...exclusion }] : [];
    })
    .sort((one, other) => other.untilMs - one.untilMs);
}

export const releaseBalance: Decider<'ReleaseBalance'> = (state, { gamerId }, { atMs }) => {
  if (!state.gamers.has(gamerId)) return refuse({ code: 'gamer-not-found' });
  if (exclusionOf(state, gamerId, atMs) === null) return refuse({ code: 'release-needs-exclusion' });
  const amountCents = balanceOf(state, purchaseAccount(gamerId));
  if (amountCents === 0) return refuse({ code: 'nothing-to-release' });
  return accept({ type: 'BalanceReleased', data: { gamerId, amountCents, purchaseBalanceCents: 0 } });
};
