import type { GamerId, Power, Role } from '../ids.js';

/** POST /api/register */
export interface RegisterRequest {
  username: string;
  email: string;
  password: string;
  referralCode?: string | null;
}

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
  /** A staff member who may only enrol a second factor, or enter its code. */
  needsSecondFactor?: boolean;
  /** An operator's powers; empty for every other role. */
  powers: readonly Power[];
}

/** GET /api/auth/status */
export type AuthStatus = { isAuthenticated: false } | ({ isAuthenticated: true } & GamerSession);

/** POST /api/account/password */
export interface ChangePasswordRequest {
  currentPassword: string;
  newPassword: string;
  confirmPassword: string;
}

/** POST /api/account/email: the same response whether the email is free or not. */
export interface ChangeEmailRequest {
  newEmail: string;
  currentPassword: string;
}

/** POST /api/account/email/confirm */
export interface ConfirmEmailRequest {
  token: string;
}

/** GET /api/account/sessions */
export interface OwnSession {
  /** Names the session for DELETE /api/account/sessions/{id}; it gives no access. */
  id: string;
  /** "Firefox on Windows". */
  device: string;
  /** Epoch milliseconds. */
  begunAt: number;
  isCurrent: boolean;
}

/** GET /api/ref/{code} */
export interface ReferralLookup {
  exists: boolean;
  ownerUsername: string | null;
}

/** POST /api/request-password-reset: the same response whether the account exists or not (decision 33). */
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
