import type { Request, Response } from 'express';
import type { GamerId } from '../../../contracts/ids.js';
import type { Config } from '../platform/config.js';
import { digestOf } from './client-address.js';

const DEVICE_COOKIE = 'omni.device';
const LIFETIME_MS = 400 * 24 * 60 * 60 * 1000;
const GAMERS_KEPT = 5;

/*
 * The device cookie names the gamers who logged in on a device, signed. It gives no access: on a known device, wrong
 * guesses of others do not count against the gamer's own attempts.
 */

/** The value of the request's device cookie; '' without one. */
export function deviceOf(request: Request): string {
  return /(?:^|; )omni\.device=([^;]*)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
}

export const knowsGamer = (device: string, gamerId: GamerId, secret: string): boolean =>
  device.split('~').includes(signed(gamerId, secret));

/** Adds the gamer to the device's cookie. When all public origins are https, it is set over https only. */
export function rememberGamer(
  request: Request,
  response: Response,
  gamerId: GamerId,
  { isHttpsOnly, sessionSecret }: Config,
): void {
  if (isHttpsOnly && !request.secure) return;
  const mark = signed(gamerId, sessionSecret);
  const others = deviceOf(request)
    .split('~')
    .filter((other) => other !== '' && other !== mark);
  response.cookie(DEVICE_COOKIE, [mark, ...others].slice(0, GAMERS_KEPT).join('~'), {
    httpOnly: true,
    sameSite: 'lax',
    path: '/api',
    secure: request.secure,
    maxAge: LIFETIME_MS,
    encode: String,
  });
}

const signed = (gamerId: GamerId, secret: string): string => `${gamerId}.${digestOf(`device of ${gamerId}`, secret)}`;
