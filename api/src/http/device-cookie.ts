import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GamerId } from '../../../contracts/ids.js';
import type { Config } from '../platform/config.js';
import { digestOf } from './client-address.js';
import { sendCookie } from './session-cookie.js';

const DEVICE_COOKIE = 'omni.device';
const LIFETIME_SECONDS = 400 * 24 * 60 * 60;
const GAMERS_KEPT = 5;

/* A signed cookie with who logged in on a device. It gives no access: there, others' wrong guesses do not count. */

const VALUE = /(?:^|; )omni\.device=([^;]*)/;
const HOST_VALUE = /(?:^|; )__Host-omni\.device=([^;]*)/;

/** The value of the request's device cookie; '' without one. */
export function deviceOf(request: FastifyRequest, { isHttpsOnly }: Config): string {
  return (isHttpsOnly ? HOST_VALUE : VALUE).exec(request.headers.cookie ?? '')?.[1] ?? '';
}

export const knowsGamer = (device: string, gamerId: GamerId, secret: string): boolean =>
  device.split('~').includes(signed(gamerId, secret));

export function rememberGamer(request: FastifyRequest, reply: FastifyReply, gamerId: GamerId, config: Config): void {
  const mark = signed(gamerId, config.sessionSecret);
  const others = deviceOf(request, config)
    .split('~')
    .filter((other) => other !== '' && other !== mark);
  const value = [mark, ...others].slice(0, GAMERS_KEPT).join('~');
  // Browsers accept the prefix only over https, for this very host and every path.
  const name = config.isHttpsOnly ? `__Host-${DEVICE_COOKIE}` : DEVICE_COOKIE;
  sendCookie(request, reply, config, { name, value, path: '/', maxAge: LIFETIME_SECONDS });
}

const signed = (gamerId: GamerId, secret: string): string => `${gamerId}.${digestOf(`device of ${gamerId}`, secret)}`;
