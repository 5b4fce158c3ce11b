import type { GamerId, Role, RoundId } from '../ids.js';
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
  reason?: string;
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
  reason?: string;
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

/** What one day brought. */
export interface DayTotals {
  day: NewYorkDay;
  /** Two cents of every token that was bought on it. */
  profitCents: number;
  purchases: number;
  /** Credited on it, without the fee. */
  depositsCents: number;
  deposits: number;
}

/** GET /api/admin/daily-totals?days= */
export interface DailyTotalsResponse {
  /** One after the other, those on which nothing happened too; today, which is not over, last. */
  days: DayTotals[];
}
