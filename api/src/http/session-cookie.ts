import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type SetCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GAMER } from '../../../contracts/http/headers.js';
import type { Config } from '../platform/config.js';

export const SESSION_COOKIE = 'omni.sid';
export const SESSION_LIFETIME_SECONDS = 30 * 24 * 60 * 60;

const VALUE = /(?:^|; ?)omni\.sid=([^;]*)/;
const HOST_VALUE = /(?:^|; ?)__Host-omni\.sid=([^;]*)/;
/** Marks a signed value. */
const SIGNED = 's:';

/** Browsers accept the prefix only over https for this very host, so no other subdomain can plant a session. */
const nameOf = ({ isHttpsOnly }: Config): string => (isHttpsOnly ? `__Host-${SESSION_COOKIE}` : SESSION_COOKIE);

/** The session id and the whole value of the request's cookie, not verified yet; null without such a cookie. */
export function sessionCookieOf(
  { headers }: IncomingMessage,
  { isHttpsOnly }: Config,
): { sid: string; value: string } | null {
  const encoded = (isHttpsOnly ? HOST_VALUE : VALUE).exec(headers.cookie ?? '')?.[1];
  if (encoded === undefined) return null;
  const value = decoded(encoded);
  return value.startsWith(SIGNED) ? { sid: value.slice(SIGNED.length, value.lastIndexOf('.')), value } : null;
}

/** Whether both cookie values are the same; takes the same time wherever they differ. */
export function areSameCookies(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The decoded value of a cookie; '' when it cannot be decoded, so it is not ours. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}

/** The signed value of the session's cookie, in the form of express-session: older sessions stay valid. */
export function sessionCookieValue(sid: string, { sessionSecret }: Config): string {
  const signature = createHmac('sha256', sessionSecret).update(sid).digest('base64').replace(/=+$/, '');
  return `${SIGNED}${sid}.${signature}`;
}

/** The cookie outlives a staff member's session, which ends on the server. */
export const setSessionCookie = (request: FastifyRequest, reply: FastifyReply, sid: string, config: Config): void =>
  sendCookie(request, reply, config, {
    name: nameOf(config),
    value: sessionCookieValue(sid, config),
    path: '/',
    maxAge: SESSION_LIFETIME_SECONDS,
  });

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply, config: Config): void {
  reply.header(GAMER, 'none');
  sendCookie(request, reply, config, { name: nameOf(config), value: '', path: '/', expires: new Date(0) });
}

/** Sets a cookie hidden from scripts and other sites; over https only, when all public origins are https. */
export function sendCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { isHttpsOnly }: Config,
  cookie: Pick<SetCookie, 'name' | 'value' | 'path' | 'maxAge' | 'expires'>,
): void {
  const secure = request.protocol === 'https';
  if (isHttpsOnly && !secure) return;
  reply.header('Set-Cookie', stringifySetCookie({ ...cookie, httpOnly: true, sameSite: 'lax', secure }));
}
