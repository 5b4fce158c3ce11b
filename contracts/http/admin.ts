import type { GamerId, Power, Role, RoundId } from '../ids.js';
import type { TimerSettings } from '../limits.js';
import type { NewYorkDay } from '../new-york.js';

/** GET and POST /api/admin/timers */
export type TimersBody = TimerSettings;

/** POST /api/admin/game/start-live */
export interface StartLiveResponse {
  message: string;
  roundId: RoundId;
}

/** POST /api/admin/game/reset */
export interface ResetRequest {
  reason?: string | null;
}

export interface AdminGamerRow {
  id: GamerId;
  gamerTag: string;
  email: string;
  isDepositor: boolean;
  depositorExpiresAt: number | null;
  /** Cents. */
  purchaseBalance: number;
  /** Cents. */
  currentWinnings: number;
  role: Exclude<Role, 'admin'>;
  /** An operator's powers; empty for every other role. */
  powers: Power[];
}

/** GET /api/admin/mini/gamers?q=&page=&pageSize= */
export interface AdminGamersResponse {
  gamers: AdminGamerRow[];
  total: number;
}

/** POST /api/admin/mini/gamers/{id}/adjust: signed deltas in cents (decision 13). */
export interface AdjustRequest {
  purchaseBalanceCents: number;
  totalWinningsCents: number;
  reason: string;
}

/** POST /api/admin/mini/gamers/{id}/depositor-status */
export interface DepositorStatusRequest {
  isDepositor: boolean;
}

export interface DepositorStatusResponse {
  isDepositor: boolean;
  /** Epoch milliseconds, or null when switched off. */
  expiresAt: number | null;
}

/** A day's totals. */
export interface DayTotals {
  day: NewYorkDay;
  /** The profit share of the tokens bought on that day. */
  profitCents: number;
  purchases: number;
  /** Credited deposits, without the fee. */
  depositsCents: number;
  deposits: number;
}

/** GET /api/admin/daily-totals?days= */
export interface DailyTotalsResponse {
  /** Consecutive days, also those without any event; today is the last and not over. */
  days: DayTotals[];
}

/** PATCH /api/admin/mini/gamers/{id}/profile */
export interface EditProfileRequest {
  gamerTag: string;
  email: string;
}

/** POST /api/admin/mini/gamers/{id}/reset-password */
export interface AdminResetPasswordRequest {
  password: string;
}

/** POST /api/admin/mini/gamers/{id}/role (decisions 35, 50) */
export interface ChangeRoleRequest {
  role: Exclude<Role, 'admin'>;
  /** At least one for an operator. */
  powers?: Power[];
}

/** DELETE /api/admin/gamers/{id} */
export interface DeleteGamerResponse {
  message: string;
  details: { reassignedChildren: number };
}

/** Topics of the activity log. */
export const ACTIVITY_TOPICS = ['game', 'gamers', 'money', 'support', 'community'] as const;
export type ActivityTopic = (typeof ACTIVITY_TOPICS)[number];

/** GET /api/admin/activity?about=: the events of the admin's commands, newest first, in pages. */
export interface ActivityEntry {
  /** The event's id. */
  id: string;
  /** Epoch milliseconds. */
  at: number;
  actorId: GamerId;
  actorGamerTag: string;
  /** The event's type, e.g. BalanceAdjusted. */
  type: string;
  /** The id of the gamer, deposit, withdrawal, ticket, post or round; null without one. */
  subjectId: string | null;
  subjectGamerTag: string | null;
  /** A sentence with the values before and after. */
  summary: string;
  reason: string | null;
}

export interface ActivityResponse {
  activity: ActivityEntry[];
  total: number;
}
