import type { GamerId, Role } from '../ids.js';

/** POST /api/request-password-reset: the same answer whether the account exists or not (decision 33). */
export interface RequestPasswordResetRequest {
  gamerTag: string;
  email: string;
}

/** POST /api/reset-password */
export interface ResetPasswordRequest {
  token: string;
  newPassword: string;
  confirmPassword: string;
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

/** POST /api/admin/mini/gamers/{id}/role (decision 35) */
export interface ChangeRoleRequest {
  role: Exclude<Role, 'admin'>;
}

/** DELETE /api/admin/gamers/{id} */
export interface DeleteGamerResponse {
  message: string;
  details: { reassignedChildren: number };
}

/** What an entry of the operators' trail may be about, and what the trail may be asked for. */
export const ACTIVITY_TOPICS = ['game', 'gamers', 'money', 'support', 'community'] as const;
export type ActivityTopic = (typeof ACTIVITY_TOPICS)[number];

/** GET /api/admin/activity?about=: every admin command, newest first, by pages. */
export interface ActivityEntry {
  /** The event's id. */
  id: string;
  /** Epoch milliseconds. */
  at: number;
  actorId: GamerId;
  actorGamerTag: string;
  /** The event's type, e.g. BalanceAdjusted. */
  type: string;
  /** Whom or what it concerns, where there is one. */
  subjectId: string | null;
  subjectGamerTag: string | null;
  /** In words, with before and after. */
  summary: string;
  reason: string | null;
}

export interface ActivityResponse {
  activity: ActivityEntry[];
  total: number;
}
