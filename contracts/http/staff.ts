import type { GamerId, Power, Role } from '../ids.js';
import type { ListPage } from './headers.js';

/** GET /api/staff/second-factor */
export interface SecondFactorStatus {
  isEnrolled: boolean;
  /** Staff need one on an https site. */
  isRequired: boolean;
}

/** POST /api/staff/second-factor/begin */
export type BeginEnrolmentRequest = { password: string };

export interface EnrolmentResponse {
  /** Secret to be typed into an authenticator app. */
  secret: string;
  /** Content of the app's QR code. */
  uri: string;
}

/** POST /api/staff/second-factor/confirm */
export type ConfirmEnrolmentRequest = { code: string };

/** The only time that these codes are shown. */
export type RecoveryCodesResponse = { recoveryCodes: string[] };

/** POST /api/staff/step-up: a code; the password from staff without a second factor. */
export type StepUpRequest = { code?: string; password?: string };

export type SecurityEventType =
  | 'registered'
  | 'logged-in'
  | 'login-failed'
  | 'code-required'
  | 'code-failed'
  | 'password-failed'
  | 'step-up-failed'
  | 'stepped-up'
  | 'second-factor-enrolled'
  | 'reset-requested'
  | 'password-reset'
  | 'password-changed'
  | 'password-set'
  | 'email-changed'
  | 'role-changed'
  | 'recovered';

export interface SecurityEvent {
  id: string;
  atMs: number;
  type: SecurityEventType;
  /** GamerTag of the account concerned; null for a GamerTag that does not exist. */
  gamerTag: string | null;
  /** Null for the admin too, who has no page among the gamers. */
  gamerId: GamerId | null;
  /** The staff member who changed another's account. */
  actorGamerTag: string | null;
  address: string;
  detail: string | null;
}

/** GET /api/admin/security-events?q=&page=&pageSize=: the last 90 days, newest first. */
export interface SecurityEventsResponse extends ListPage<'events', SecurityEvent> {}

/** POST /api/admin/mini/gamers/{id}/role (decisions 35, 50) */
export interface ChangeRoleRequest {
  role: Exclude<Role, 'admin'>;
  /** An operator has at least one. */
  powers?: Power[];
}
