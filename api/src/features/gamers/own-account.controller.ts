import { Body, Controller, Delete, Get, Param, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type * as http from '../../../../contracts/http/gamers.js';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import { isStaff } from '../../../../contracts/ids.js';
import { digestOf } from '../../http/client-address.js';
import { setSessionCookie } from '../../http/cookies.js';
import { LoggedIn, mustBeSteppedUp } from '../../http/guards.js';
import { CurrentGamer, IdempotencyKey, PostCommand, type SessionGamer } from '../../http/session.js';
import { SessionStore } from '../../http/sessions.store.js';
import { requiredText } from '../../http/validation.js';
import { Config } from '../../platform/config.js';
import { Refused } from '../../platform/failures.js';
import { WithPosition } from '../../platform/with-position.js';
import { newPasswordRefusal } from './account.rules.js';
import { AccountPasswords } from './passwords.js';

export class ChangePasswordDto implements http.ChangePasswordRequest {
  @requiredText('all-fields-required') currentPassword!: string;
  @requiredText('all-fields-required') newPassword!: string;
  @requiredText('all-fields-required') confirmPassword!: string;
}

/** A gamer's own password and sessions. */
@Controller('api/account')
@UseGuards(LoggedIn)
export class OwnAccountController {
  constructor(
    private readonly passwords: AccountPasswords,
    private readonly sessions: SessionStore,
    private readonly config: Config,
  ) {}

  /** Changes the gamer's own password; the current one is required, and all other sessions end. */
  @PostCommand('password')
  async changePassword(
    @CurrentGamer() { gamerId, role }: SessionGamer,
    @Body() { currentPassword, newPassword: password, confirmPassword }: ChangePasswordDto,
    @Res({ passthrough: true }) reply: FastifyReply,
    @IdempotencyKey() commandId: string,
  ): Promise<WithPosition<MessageResponse>> {
    const { ip: address, session } = reply.request;
    if (isStaff(role)) mustBeSteppedUp(session);
    const keptSid = session?.sid ?? '';
    if (password !== confirmPassword) throw new Refused('passwords-do-not-match');
    const code = newPasswordRefusal(password, role);
    if (code) throw new Refused(code);
    await this.passwords.check(gamerId, currentPassword, address);
    const metadata = { actor: { id: gamerId, role }, commandId };
    const position = await this.passwords.change({ gamerId, password, by: 'gamer', address, keptSid }, metadata);
    // Another id, against a session id that was stolen. It is not a new login: the password alone must not prolong a step-up.
    const renewed = await this.sessions.renew(keptSid);
    if (renewed !== null) setSessionCookie(reply, renewed, this.config);
    return new WithPosition(position, { message: 'Your password is changed, and all other sessions have ended' });
  }

  /** The gamer's own sessions, newest first. */
  @Get('sessions')
  async listSessions(
    @CurrentGamer() { gamerId }: SessionGamer,
    @Req() { session }: FastifyRequest,
  ): Promise<http.OwnSession[]> {
    const own = await this.sessions.listOf(gamerId);
    return own.map(({ sid, ...rest }) => ({ id: this.publicId(sid), ...rest, isCurrent: sid === session?.sid }));
  }

  /** Ends one of the gamer's own sessions, and closes its sockets. */
  @Delete('sessions/:id')
  async endSession(@CurrentGamer() { gamerId }: SessionGamer, @Param('id') id: string): Promise<MessageResponse> {
    const session = (await this.sessions.listOf(gamerId)).find(({ sid }) => this.publicId(sid) === id);
    if (!session) throw new Refused('session-not-found');
    await this.sessions.end(session.sid);
    return { message: 'The session has ended' };
  }

  /** A session's own id opens the account, so it never leaves the server but in its cookie. */
  private publicId(sid: string): string {
    return digestOf(`session ${sid}`, this.config.sessionSecret);
  }
}
