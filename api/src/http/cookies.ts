import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { parseCookie, type SetCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DAY_SECONDS } from '../../../contracts/durations.js';
import { GAMER } from '../../../contracts/http/headers.js';
import type { GamerId } from '../../../contracts/ids.js';
import type { Config } from '../platform/config.js';
import { digestOf } from './client-address.js';

export const SESSION_COOKIE = 'omni.sid';
export const SESSION_LIFETIME_SECONDS = 30 * DAY_SECONDS;
const DEVICE_COOKIE = 'omni.device';
const DEVICE_LIFETIME_SECONDS = 400 * DAY_SECONDS;
const GAMERS_OF_A_DEVICE = 5;
/** Marks a signed value. */
const SIGNED = 's:';

/** Browsers accept the prefix only over https for this very host, so no other subdomain can plant a cookie. */
const nameOf = (name: string, { isHttpsOnly }: Config): string => (isHttpsOnly ? `__Host-${name}` : name);

const cookieOf = ({ headers }: Pick<IncomingMessage, 'headers'>, name: string, config: Config): string =>
  parseCookie(headers.cookie ?? '')[nameOf(name, config)] ?? '';

/** The session id and the whole value of the request's cookie, not verified yet; null without such a cookie. */
export function sessionCookieOf(request: IncomingMessage, config: Config): { sid: string; value: string } | null {
  const value = cookieOf(request, SESSION_COOKIE, config);
  return value.startsWith(SIGNED) ? { sid: value.slice(SIGNED.length, value.lastIndexOf('.')), value } : null;
}

/** Whether two secret texts are the same; takes the same time wherever they differ. */
export function areSameTexts(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

export function sessionCookieValue(sid: string, { sessionSecret }: Config): string {
  const signature = createHmac('sha256', sessionSecret).update(sid).digest('base64').replace(/=+$/, '');
  return `${SIGNED}${sid}.${signature}`;
}

/** The cookie outlives a staff member's session, which ends on the server. */
export function setSessionCookie(reply: FastifyReply, sid: string, config: Config): void {
  const value = sessionCookieValue(sid, config);
  sendCookie(reply, config, { name: SESSION_COOKIE, value, maxAge: SESSION_LIFETIME_SECONDS });
}

export function clearSessionCookie(reply: FastifyReply, config: Config): void {
  reply.header(GAMER, 'none');
  sendCookie(reply, config, { name: SESSION_COOKIE, value: '', expires: new Date(0) });
}

/**
 * The device cookie: signed ids of the gamers who logged in on this device; '' without one. It exempts them from the wrong
 * guesses of others, and gives no access.
 */
export const deviceOf = (request: FastifyRequest, config: Config): string => cookieOf(request, DEVICE_COOKIE, config);

export const knowsGamer = (device: string, gamerId: GamerId, secret: string): boolean =>
  device.split('~').includes(signed(gamerId, secret));

export function rememberGamer(reply: FastifyReply, gamerId: GamerId, config: Config): void {
  const mark = signed(gamerId, config.sessionSecret);
  const others = deviceOf(reply.request, config)
    .split('~')
    .filter((other) => other !== '' && other !== mark);
  const value = [mark, ...others].slice(0, GAMERS_OF_A_DEVICE).join('~');
  sendCookie(reply, config, { name: DEVICE_COOKIE, value, maxAge: DEVICE_LIFETIME_SECONDS });
}

const signed = (gamerId: GamerId, secret: string): string => `${gamerId}.${digestOf(`device of ${gamerId}`, secret)}`;

/** Sets a cookie hidden from scripts and other sites; over https only, when all public origins are https. */
function sendCookie(reply: FastifyReply, config: Config, cookie: SetCookie): void {
  const secure = reply.request.protocol === 'https';
  if (config.isHttpsOnly && !secure) return;
  const name = nameOf(cookie.name, config);
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  reply.header('Set-Cookie', stringifySetCookie({ ...cookie, name, ...attributes }));
}
