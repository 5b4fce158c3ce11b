import { createHmac } from 'node:crypto';
import { base32nopad } from '@scure/base';
import { areSameTexts } from '../../http/cookies.js';

/* Time-based codes as authenticator apps make them by default (RFC 6238): HMAC-SHA-1, six digits, 30 seconds. */

const STEP_MS = 30_000;
const DIGITS = 6;
/** Codes of the step before and after count too, because phones' clocks are not exact (RFC 6238, 5.2). */
const TOLERATED_STEPS = [0, -1, 1];

export const TOTP_SECRET_BYTES = 20;

export const stepOf = (nowMs: number): number => Math.floor(nowMs / STEP_MS);

export function codeOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) as number) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The time step that the code belongs to; null for a wrong code. A caller accepts each step once at most. */
export function stepOfCode(secret: Buffer, code: string, nowMs: number): number | null {
  const tolerated = TOLERATED_STEPS.map((steps) => stepOf(nowMs) + steps);
  return tolerated.find((step) => areSameTexts(code, codeOf(secret, step))) ?? null;
}

export const secretText = (secret: Buffer): string => base32nopad.encode(secret);

/** The address that authenticator apps read from a QR code. */
export const totpUri = (secret: Buffer, account: string): string =>
  `otpauth://totp/Omni%20Jackpot:${encodeURIComponent(account)}?secret=${secretText(secret)}&issuer=Omni%20Jackpot`;
