import type { LimitKind, LimitPeriod, PlayLimits } from '../../contracts/limits.js';
import { DAY_MS } from './model-calendar.js';
import { THIRTY_DAYS_MS } from './model-game.js';
import { isCount, type RulesFor } from './model-rule.js';

const cellsOf = (limits: PlayLimits): (number | null)[] =>
  Object.values(limits).flatMap((row) => Object.values<number | null>(row));

/** The model's rules for gamers: the matrix, staff, exclusions and limits. */
export const gamerRules: RulesFor<
  | 'EnrolAdmin'
  | 'EnrolGamer'
  | 'SetDepositorStatus'
  | 'SetStaffStatus'
  | 'ExcludeGamer'
  | 'LiftExclusion'
  | 'SetLimits'
  | 'ConfirmLimits'
  | 'SetProtectionProfile'
  | 'RemoveGamer'
> = {
  EnrolAdmin: {
    reasons: (model) => [model.admin !== null && 'gamer-already-enrolled'],
    carryOut(model, { gamerId }) {
      model.admin = gamerId;
      model.enrol(gamerId, null, null);
    },
  },
  EnrolGamer: {
    reasons: (model, { gamerId, sponsorId }) => [
      model.gamers.has(gamerId) && 'gamer-already-enrolled',
      sponsorId !== null && !model.gamers.has(sponsorId) && 'referral-code-not-found',
    ],
    carryOut: (model, { gamerId, sponsorId }) => model.enrol(gamerId, sponsorId, sponsorId ?? model.admin),
  },
  SetDepositorStatus: {
    reasons: ({ admin, gamers }, { gamerId }) => [
      !gamers.has(gamerId) && 'gamer-not-found',
      gamerId === admin && 'admin-is-no-depositor',
    ],
    carryOut(model, { gamerId, isDepositor }, at) {
      model.gamer(gamerId).depositorUntil = isDepositor ? at + THIRTY_DAYS_MS : null;
    },
  },
  SetStaffStatus: {
    reasons: ({ admin, gamers, phase, lastBuyer }, { gamerId, isStaff }) => [
      !gamers.has(gamerId) && 'gamer-not-found',
      gamerId === admin && 'admin-role-is-fixed',
      isStaff && phase === 'live' && lastBuyer === gamerId && 'gamer-is-last-buyer',
    ],
    carryOut(model, { gamerId, isStaff }) {
      model.gamer(gamerId).isStaff = isStaff;
    },
  },
  ExcludeGamer: {
    reasons(model, { gamerId, kind, days }, at) {
      const isOffered = (kind === 'time-out' ? [1, 7, 30, 42] : [184, 366, 731, 1_096, 1_827]).includes(days);
      const before = model.isExcluded(gamerId, at) ? model.exclusions.get(gamerId) : undefined;
      const isWeaker = before !== undefined && (at + days * DAY_MS <= before.end || (before.lasting && days < 100));
      return [
        model.isNobody(gamerId) && 'gamer-not-found',
        !isOffered && 'invalid-exclusion',
        isWeaker && 'exclusion-only-longer',
      ];
    },
    carryOut(model, { gamerId, kind, days }, at) {
      model.exclusions.set(gamerId, { lasting: kind === 'self-exclusion', end: at + days * DAY_MS });
    },
  },
  LiftExclusion: {
    reasons({ gamers, exclusions }, { gamerId }, at) {
      const { lasting = false, end = 0 } = exclusions.get(gamerId) ?? {};
      return [
        !gamers.has(gamerId) && 'gamer-not-found',
        !lasting && 'not-self-excluded',
        lasting && at < end && 'exclusion-not-over',
      ];
    },
    carryOut: (model, { gamerId }, at) => model.exclusions.set(gamerId, { lasting: false, end: at + DAY_MS }),
  },
  SetLimits: {
    reasons: (model, { gamerId, limits }) => [
      model.isNobody(gamerId) && 'gamer-not-found',
      !cellsOf(limits).every((limit) => limit === null || limit === 0 || isCount(limit, 100_000_000)) &&
        'invalid-limits',
    ],
    carryOut(model, { gamerId, limits: wanted }, at) {
      const before = model.limits.get(gamerId)?.limits;
      const lowest = (kind: LimitKind, period: LimitPeriod) => {
        const both = [before?.[kind][period] ?? null, wanted[kind][period]].filter((limit) => limit !== null);
        return both.length === 0 ? null : Math.min(...both);
      };
      const row = (kind: LimitKind) => ({
        ...{ day: lowest(kind, 'day'), week: lowest(kind, 'week'), month: lowest(kind, 'month') },
      });
      const limits = { spending: row('spending'), deposits: row('deposits'), loss: row('loss') };
      const isRaised = cellsOf(limits).join() !== cellsOf(wanted).join();
      model.limits.set(gamerId, { limits, wanted: isRaised ? wanted : null, confirmableFrom: at + DAY_MS });
      if (!isRaised && cellsOf(limits).every((limit) => limit === null)) model.limits.delete(gamerId);
    },
  },
  ConfirmLimits: {
    reasons({ gamers, limits }, { gamerId }, at) {
      const { wanted = null, confirmableFrom = 0 } = limits.get(gamerId) ?? {};
      return [
        !gamers.has(gamerId) && 'gamer-not-found',
        wanted === null && 'no-raise-requested',
        wanted !== null && at < confirmableFrom && 'raise-too-early',
      ];
    },
    carryOut(model, { gamerId }) {
      const { wanted } = model.limits.get(gamerId)!;
      model.limits.set(gamerId, { limits: wanted!, wanted: null, confirmableFrom: 0 });
      if (cellsOf(wanted!).every((limit) => limit === null)) model.limits.delete(gamerId);
    },
  },
  SetProtectionProfile: {
    reasons: (_, { limits }) => [
      !cellsOf(limits).every((limit) => limit === null || limit === 0 || isCount(limit, 100_000_000)) &&
        'invalid-limits',
    ],
    carryOut(model, { type: _, ...profile }) {
      model.profile = profile;
    },
  },
  RemoveGamer: {
    reasons: ({ admin, gamers, withdrawals, phase, lastBuyer }, { gamerId }) => [
      gamerId === admin && 'admin-cannot-be-removed',
      !gamers.has(gamerId) && 'gamer-not-found',
      [...withdrawals.values()].some(
        ({ gamer, status }) => gamer === gamerId && (status === 'pending' || status === 'processing'),
      ) && 'gamer-has-pending-withdrawal',
      phase === 'live' && lastBuyer === gamerId && 'gamer-is-last-buyer',
    ],
    carryOut: (model, { gamerId }) => model.remove(gamerId),
  },
};
