import { base32nopad } from '@scure/base';
import type { EnrolmentResponse, RecoveryCodesResponse } from '../../contracts/http/staff.js';
import { codeOf, stepOf } from '../src/features/staff/totp.js';
import type { Visitor } from './visitor.js';
import type { WholeApplication } from './whole-application.js';

/* A public site on https, where staff need a second factor. */

export const ORIGIN = 'https://play.example';
export const SESSION_COOKIE = '__Host-omni.sid';
export const ENROL = '/api/staff/second-factor';
/** The headers of a visitor, as the trusted proxy sends them. */
export const PROXIED = { origin: ORIGIN, 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' };

export const sidOf = (of: Visitor) => /^s:(.+)\./.exec(decodeURIComponent(of.cookie(SESSION_COOKIE) ?? ''))?.[1];

/** The code of an authenticator app. */
export const totpCode = (secret: Buffer, nowMs: number): string => codeOf(secret, stepOf(nowMs));

/** Moves the session's last proof of the second factor this long back, on every node. */
export async function moveProofBack({ database }: WholeApplication, of: Visitor, minutes: number): Promise<void> {
  const proved = `UPDATE auth.sessions SET proved_at = now() - $2 * interval '1 min' WHERE sid = $1`;
  await database.query(proved, [sidOf(of), minutes]);
  await database.query(`SELECT pg_notify('auth_sessions', $1)`, [sidOf(of)]);
}

/** Enrols a second factor at this time; returns its secret and the recovery codes. */
export async function enrol(as: Visitor, password: string, atMs = Date.now()) {
  const begun = await as.post<EnrolmentResponse>(`${ENROL}/begin`, { password });
  const secret = Buffer.from(base32nopad.decode(begun.body.secret));
  const confirmed = await as.post<RecoveryCodesResponse>(`${ENROL}/confirm`, { code: totpCode(secret, atMs) });
  return { secret, recoveryCodes: confirmed.body.recoveryCodes };
}
