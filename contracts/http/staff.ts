import type { GamerId, Power, Role } from '../ids.js';
import { words } from '../words.js';
import type { Paged } from './headers.js';

/** GET /api/staff/second-factor */
export interface SecondFactorStatus {
  isEnrolled: boolean;
  /** Staff need one on an https site. */
  isRequired: boolean;
  recoveryCodesLeft: number;
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

/** The types of security events, by the filter's kinds. */
export const SECURITY_EVENT_TYPES = {
  login: ['registered', 'logged-in'],
  failure: ['login-failed', 'code-required', 'code-failed', 'password-failed', 'step-up-failed'],
  proof: ['stepped-up', 'second-factor-enrolled'],
  change: words('reset-requested password-reset password-changed password-set email-changed role-changed recovered'),
} as const;
export type SecurityEventKind = keyof typeof SECURITY_EVENT_TYPES;
export type SecurityEventType = (typeof SECURITY_EVENT_TYPES)[SecurityEventKind][number];

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
  /** The client's IP address. */
  address: string;
  detail: string | null;
}

/** GET /api/admin/security-events?q=&kind=&page=&pageSize=: the last 90 days, newest first. */
export interface SecurityEventsResponse extends Paged<'events', SecurityEvent> {}

/** POST /api/admin/mini/gamers/{id}/role (decisions 35, 50) */
export interface ChangeRoleRequest {
  role: Exclude<Role, 'admin'>;
  /** An operator has at least one. */
  powers?: Power[];
}
