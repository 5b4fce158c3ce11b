import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * NOWPayments signs a callback with HMAC-SHA512 over its JSON with the keys sorted at every depth. Whether arrays are
 * sorted as arrays or, as its sample code does, as objects with the indexes for keys is not documented; so a match with
 * the bytes as they came or with either form counts. Its older sample empties nested objects instead, which leaves
 * them unsigned: that form does not count.
 */
const SIGNATURE = /^[0-9a-f]{128}$/i;
/** Real callbacks nest two deep; deeper ones are somebody's attempt to exhaust the stack. */
const DEEPEST = 16;

/** True when the signature (the header `x-nowpayments-sig`) was made with the secret over this body. */
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
  if (!isShallow(parsed, DEEPEST)) return [];
  return [sortDeep(parsed, false), sortDeep(parsed, true)].map((value) => Buffer.from(JSON.stringify(value)));
}

/** `fromEntries` defines what it is given, so that not even a key named `__proto__` gets lost from what is signed. */
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
