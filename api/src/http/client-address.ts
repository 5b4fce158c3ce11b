import { createHmac } from 'node:crypto';
import type { Request } from 'express';

/** The client's address; 'unknown' only when the connection is closed already. */
export const addressOf = (request: Request): string => request.ip ?? 'unknown';

/**
 * The key of an address for limits: an IPv4 address, or an IPv6 /64, which is one subscriber's network. A keyed, shortened
 * digest, so that tables do not reveal where gamers are.
 */
export const addressKey = (address: string, secret: string): string =>
  digestOf(`address ${networkOf(address)}`, secret);

/** A keyed digest: without the secret it does not reveal the text. */
export const digestOf = (text: string, secret: string): string =>
  createHmac('sha256', secret).update(text).digest('base64url').slice(0, 16);

/** The IPv4 address, or the IPv6 /64 network. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (!plain.includes(':')) return plain;
  const [before = '', after = ''] = plain.toLowerCase().split('::');
  const first = before.split(':').filter(Boolean);
  const last = after.split(':').filter(Boolean);
  const zeros = plain.includes('::') ? Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0') : [];
  const groups = [...first, ...zeros, ...last].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(':')}::/64`;
}
