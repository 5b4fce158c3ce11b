import { createHmac, timingSafeEqual } from 'node:crypto';
import { base32nopad } from '@scure/base';

/*
 * Time-based one-time passwords as authenticator apps make them by default (RFC 6238): HMAC-SHA-1, six digits, steps of
 * 30 seconds.
 */

const STEP_MS = 30_000;
const DIGITS = 6;
/** Codes of the step before and after count too, because phones' clocks are not exact (RFC 6238, 5.2). */
const TOLERATED_STEPS = [0, -1, 1];

export const TOTP_SECRET_BYTES = 20;

const stepOf = (nowMs: number): number => Math.floor(nowMs / STEP_MS);

/** The code of a time step. */
function codeOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) as number) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The code that an authenticator shows now. */
export const totpCode = (secret: Buffer, nowMs: number): string => codeOf(secret, stepOf(nowMs));

/** The time step that the code belongs to; null for a wrong code. A caller accepts each step once at most. */
export function stepOfCode(secret: Buffer, code: string, nowMs: number): number | null {
  const sent = Buffer.from(code);
  const isCodeOf = (step: number) => {
    const due = Buffer.from(codeOf(secret, step));
    return sent.length === due.length && timingSafeEqual(sent, due);
  };
  const tolerated = TOLERATED_STEPS.map((steps) => stepOf(nowMs) + steps);
  return tolerated.find(isCodeOf) ?? null;
}

/** The secret in Base32, for typing. */
export const secretText = (secret: Buffer): string => base32nopad.encode(secret);

/** The address that authenticator apps read from a QR code. */
export function totpUri(secret: Buffer, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secretText(secret)}&issuer=${encodeURIComponent(issuer)}`;
}
