import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isStaff } from '../../../../contracts/ids.js';
import { rememberGamer } from '../../http/device-cookie.js';
import { setSessionCookie } from '../../http/session-cookie.js';
import { SessionStore } from '../../http/sessions.store.js';
import { Config } from '../../platform/config.js';
import type { Account } from './account.entity.js';

/** Begins the sessions of browsers. */
@Injectable()
export class BrowserSessions {
  constructor(
    private readonly sessions: SessionStore,
    private readonly config: Config,
  ) {}

  /**
   * Begins a session, under a new id against session fixation, and ends the request's former one. Returns the id. The former one
   * ends last: its sockets close at once, and the page must not come back before it has the new cookie.
   */
  async begin(
    request: FastifyRequest,
    reply: FastifyReply,
    { gamerId, role }: Pick<Account, 'gamerId' | 'role'>,
    hasSecondFactor: boolean,
  ): Promise<string> {
    const device = deviceNameOf(request.headers['user-agent']);
    const sid = await this.sessions.begin(gamerId, { device, isStaff: isStaff(role), hasSecondFactor });
    setSessionCookie(request, reply, sid, this.config);
    rememberGamer(request, reply, gamerId, this.config);
    if (request.session) await this.sessions.end(request.session.sid);
    return sid;
  }
}

/** The first that a user agent names: browsers also name those that they resemble. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** "Firefox on Windows". Only these words, never the header's own: everybody can send any header. */
export function deviceNameOf(userAgent: string | undefined): string {
  const nameIn = (names: readonly [RegExp, string][]) => names.find(([sign]) => sign.test(userAgent ?? ''))?.[1];
  const [browser = 'Another browser', system = 'another system'] = [nameIn(BROWSERS), nameIn(SYSTEMS)];
  return `${browser} on ${system}`;
}
