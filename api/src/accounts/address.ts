import { createHmac } from 'node:crypto';
import type { Request } from 'express';

/** Whence a request came; absent only when the connection is gone already. */
export const addressOf = (request: Request): string => request.ip ?? 'unknown';

/**
 * An address as the limits know it: one IPv4 address, or a whole IPv6 /64, which is what one subscriber has.
 * Keyed and shortened, so that no table tells where gamers are.
 */
export const addressKey = (address: string, secret: string): string =>
  digestOf(`address ${networkOf(address)}`, secret);

/** Tells nothing to whoever reads it without the secret. */
export const digestOf = (text: string, secret: string): string =>
  createHmac('sha256', secret).update(text).digest('base64url').slice(0, 16);

export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail = ''] = plain.toLowerCase().split('::');
  const first = head.split(':').filter(Boolean);
  const last = tail.split(':').filter(Boolean);
  const zeros = plain.includes('::') ? Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0') : [];
  const groups = [...first, ...zeros, ...last].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(':')}::/64`;
}
