import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GamerId } from '../../../contracts/ids.js';
import type { Config } from '../platform/config.js';
import { digestOf } from './client-address.js';
import { sendCookie } from './session-cookie.js';

const DEVICE_COOKIE = 'omni.device';
const LIFETIME_SECONDS = 400 * 24 * 60 * 60;
const GAMERS_KEPT = 5;

/*
 * The device cookie names the gamers who logged in on a device, signed. It gives no access: on a known device, wrong
 * guesses of others do not count against the gamer's own attempts.
 */

/** The value of the request's device cookie; '' without one. */
export function deviceOf(request: FastifyRequest): string {
  return /(?:^|; )omni\.device=([^;]*)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
}

export const knowsGamer = (device: string, gamerId: GamerId, secret: string): boolean =>
  device.split('~').includes(signed(gamerId, secret));

/** Adds the gamer to the device's cookie. */
export function rememberGamer(request: FastifyRequest, reply: FastifyReply, gamerId: GamerId, config: Config): void {
  const mark = signed(gamerId, config.sessionSecret);
  const others = deviceOf(request)
    .split('~')
    .filter((other) => other !== '' && other !== mark);
  const value = [mark, ...others].slice(0, GAMERS_KEPT).join('~');
  sendCookie(request, reply, config, { name: DEVICE_COOKIE, value, path: '/api', maxAge: LIFETIME_SECONDS });
}

const signed = (gamerId: GamerId, secret: string): string => `${gamerId}.${digestOf(`device of ${gamerId}`, secret)}`;
