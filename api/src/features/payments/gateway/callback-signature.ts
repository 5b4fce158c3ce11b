import { createHmac, timingSafeEqual } from 'node:crypto';

// NOWPayments signs a callback with HMAC-SHA512 over its JSON with the keys sorted at every depth. The signature may
// match the raw bytes, or arrays written as arrays or as objects (its documents leave that open). An older sample
// empties nested objects, which leaves them unsigned: that form is not accepted.
export const SIGNATURE_HEADER = 'x-nowpayments-sig';
const SIGNATURE = /^[0-9a-f]{128}$/i;
/** Real callbacks nest two levels deep; a much deeper one is an attempt to exhaust the stack. */
const MAX_DEPTH = 16;

/** True when the signature (SIGNATURE_HEADER) was made with the secret over this body. */
export function isSignedWith(secret: string, rawBody: Uint8Array, parsed: unknown, signature: string): boolean {
  if (!SIGNATURE.test(signature)) return false;
  const given = Buffer.from(signature, 'hex');
  const forms = [rawBody, ...sortedForms(parsed)];
  const matches = forms.map((form) =>
    timingSafeEqual(given, createHmac('sha512', secret.trim()).update(form).digest()),
  );
  return matches.includes(true);
}

function sortedForms(parsed: unknown): Uint8Array[] {
  if (!isShallow(parsed, MAX_DEPTH)) return [];
  return [sortDeep(parsed, false), sortDeep(parsed, true)].map((value) => Buffer.from(JSON.stringify(value)));
}

/** Uses `fromEntries`, which keeps even a key named `__proto__`, so that no signed field is lost. */
function sortDeep(value: unknown, arraysAsObjects: boolean): unknown {
  if (Array.isArray(value) && !arraysAsObjects) return value.map((item) => sortDeep(item, false));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, sortDeep(item, arraysAsObjects)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((item) => isShallow(item, levels - 1));
}
