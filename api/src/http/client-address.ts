import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import proxyAddress from 'proxy-addr';
import type { Config } from '../platform/config.js';

/** Whether `address` belongs to a trusted proxy; `hop` is its distance from this server. */
export function isTrustedProxy({ trustProxy }: Config): (address: string, hop: number) => boolean {
  if (typeof trustProxy === 'string') return proxyAddress.compile(trustProxy.split(/ *, */));
  return (_address, hop) => hop < Number(trustProxy);
}

/** The client's address behind trusted proxies; 'unknown' only when the connection is closed already. */
export const addressOf = (request: IncomingMessage, isTrusted: (address: string, hop: number) => boolean): string =>
  request.socket.remoteAddress === undefined ? 'unknown' : proxyAddress(request, isTrusted);

/** A keyed digest of an IPv4 address or an IPv6 /64 (one subscriber): tables do not reveal where gamers are. */
export const addressKey = (address: string, secret: string): string =>
  digestOf(`address ${networkOf(address)}`, secret);

/** A keyed digest: without the secret it does not reveal the text. */
export const digestOf = (text: string, secret: string): string =>
  createHmac('sha256', secret).update(text).digest('base64url').slice(0, 16);

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
