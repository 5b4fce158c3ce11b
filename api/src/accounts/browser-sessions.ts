import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isStaff } from '../../../contracts/ids.js';
import { rememberGamer } from '../http/device-cookie.js';
import { setSessionCookie } from '../http/session-cookie.js';
import { SessionStore } from '../http/sessions.store.js';
import { Config } from '../platform/config.js';
import type { Account } from './account.entity.js';
import { passwordMarkOf } from './account-rows.js';
import { deviceNameOf } from './device-names.js';

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
    { gamerId, role, passwordHash }: Pick<Account, 'gamerId' | 'role' | 'passwordHash'>,
    hasSecondFactor: boolean,
  ): Promise<string> {
    const device = deviceNameOf(request.headers['user-agent']);
    const sid = await this.sessions.begin(gamerId, {
      device,
      password: passwordMarkOf(passwordHash),
      isStaff: isStaff(role),
      hasSecondFactor,
    });
    await this.sessions.endOldestOf(gamerId, sid);
    setSessionCookie(request, reply, sid, this.config);
    rememberGamer(request, reply, gamerId, this.config);
    if (request.session) await this.sessions.end(request.session.sid);
    return sid;
  }
}
