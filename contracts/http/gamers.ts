import type { GamerId, NamedGamer, Power, Role } from '../ids.js';
import type { ListPage, MessageResponse } from './headers.js';
import type { Winner } from './rounds.js';

/** POST /api/register */
export type RegisterRequest = { username: string; email: string; password: string; referralCode?: string | null };

/** POST /api/login */
export interface LoginRequest {
  username: string;
  password: string;
  /** A code of the second factor, or a recovery code: needed after the refusal `second-factor-code-required`. */
  code?: string;
}

/** The response to register and login. */
export interface GamerSession {
  id: GamerId;
  gamerTag: string;
  email: string;
  refCode: string;
  role: Role;
  /** Somebody who reads the mailbox of `email` confirmed it. */
  isEmailConfirmed?: boolean;
  /** A staff member who may only enrol a second factor, or enter its code. */
  needsSecondFactor?: boolean;
  /** An operator's powers; empty for every other role. */
  powers: readonly Power[];
}

/** GET /api/auth/status */
export type AuthStatus = { isAuthenticated: false } | ({ isAuthenticated: true } & GamerSession);

/** POST /api/account/password */
export type ChangePasswordRequest = { currentPassword: string; newPassword: string; confirmPassword: string };

/** POST /api/account/email: the same response whether the email is free or not. */
export type ChangeEmailRequest = { newEmail: string; currentPassword: string };

/** POST /api/account/email/confirm */
export type ConfirmEmailRequest = { token: string };

/** GET /api/account/sessions */
export interface OwnSession {
  /** Names the session for DELETE /api/account/sessions/{id}; it gives no access. */
  id: string;
  /** "Firefox on Windows". */
  device: string;
  begunAtMs: number;
  isCurrent: boolean;
}

/** GET /api/ref/{code} */
export type ReferralLookup = { exists: boolean; ownerUsername: string | null };

/** POST /api/reset-password */
export type ResetPasswordRequest = { token: string; newPassword: string; confirmPassword: string };

/** GET /api/gamer/{id} */
export interface GamerProfile extends Omit<GamerSession, 'role' | 'powers'> {
  isDepositor: boolean;
  /** Epoch milliseconds, or null when never set. */
  depositorExpiresAt: number | null;
  wallet: { purchaseBalanceCents: number };
  /** The newest jackpot of the last 24 hours. */
  newestWin: Pick<Winner, 'roundId' | 'jackpotCents'> | null;
  /** The current winnings are the won and released cents, less the withdrawn, reserved and transferred ones. */
  balances: {
    personalWithdrawalsPaidCents: number;
    currentWinningsCents: number;
    /** All winnings so far, with the staff's adjustments. */
    totalWinningsCents: number;
    /** Cents in withdrawals that are not paid out or returned yet. */
    reservedCents: number;
    transferredCents: number;
    /** Back from the purchase balance, during an exclusion. */
    releasedCents: number;
  };
}

export interface AdminGamerRow
  extends Pick<GamerProfile, 'id' | 'gamerTag' | 'email' | 'isDepositor' | 'depositorExpiresAt'> {
  purchaseBalance: number;
  currentWinnings: number;
  role: Exclude<Role, 'admin'>;
  powers: Power[];
  /** Owner of the referral link by which the gamer came. */
  sponsor: NamedGamer | null;
}

/** GET /api/admin/mini/gamers?q=&page=&pageSize= */
export interface AdminGamersResponse extends ListPage<'gamers', AdminGamerRow> {}

/** POST /api/admin/mini/gamers/{id}/depositor-status */
export type DepositorStatusRequest = { isDepositor: boolean };

export interface DepositorStatusResponse extends DepositorStatusRequest {
  /** Epoch milliseconds, or null when switched off. */
  expiresAt: number | null;
}

/** PATCH /api/admin/mini/gamers/{id}/profile */
export type EditProfileRequest = { gamerTag?: string; email?: string };

/** POST /api/admin/mini/gamers/{id}/reset-password */
export type AdminResetPasswordRequest = { password: string };

/** DELETE /api/admin/gamers/{id} */
export interface DeleteGamerResponse extends MessageResponse {
  details: { reassignedChildren: number };
}
