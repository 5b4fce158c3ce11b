import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { MaxLength } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ChangeEmailRequest, ChangePasswordRequest, ConfirmEmailRequest, OwnSession } from '../../../../contracts/http/gamers.js';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import { isStaff } from '../../../../contracts/ids.js';
import { digestOf } from '../../http/client-address.js';
import { CommandId, CurrentSession, LoggedIn, mustBeSteppedUp, type SessionGamer } from '../../http/session.js';
import { setSessionCookie } from '../../http/session-cookie.js';
import { SessionStore } from '../../http/sessions.store.js';
import { refuseAs, requiredText, trimmed } from '../../http/validation.js';
import { Config } from '../../platform/config.js';
import { Refused } from '../../platform/failures.js';
import { TOKEN_MAX_LENGTH } from './accounts.dto.js';
import { ChangeOwnPassword, ConfirmEmailChange, RequestEmailChange } from './own-account.handlers.js';

export class ChangePasswordDto implements ChangePasswordRequest {
  @requiredText('all-fields-required')
  currentPassword!: string;

  @requiredText('all-fields-required')
  newPassword!: string;

  @requiredText('all-fields-required')
  confirmPassword!: string;
}

export class ChangeEmailDto implements ChangeEmailRequest {
  @trimmed
  @requiredText('all-fields-required')
  newEmail!: string;

  @requiredText('all-fields-required')
  currentPassword!: string;
}

export class ConfirmEmailDto implements ConfirmEmailRequest {
  @MaxLength(TOKEN_MAX_LENGTH, refuseAs('invalid-email-link'))
  @requiredText('invalid-email-link')
  token!: string;
}

/** A logged-in gamer changes their own account. */
@Controller('api/account')
export class OwnAccountController {
  constructor(
    private readonly commands: CommandBus,
    private readonly sessions: SessionStore,
    private readonly config: Config,
  ) {}

  /** Changes the gamer's own password; the current one is required, and all other sessions end. */
  @Post('password')
  @HttpCode(200)
  @UseGuards(LoggedIn)
  async changePassword(
    @CurrentSession() gamer: SessionGamer,
    @Body() body: ChangePasswordDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @CommandId() commandId: string,
  ) {
    const asker = askerOf(gamer, request);
    const changed = await this.commands.execute(new ChangeOwnPassword(body, asker, commandId));
    // Another id, against a session id that was stolen. It is no new login: the password alone must not prolong a step-up.
    const renewed = await this.sessions.renew(asker.sid);
    if (renewed !== null) setSessionCookie(request, reply, renewed, this.config);
    return changed;
  }

  /** Requests a mail with a link to another email; the response is the same whether the address is free or not. */
  @Post('email')
  @HttpCode(200)
  @UseGuards(LoggedIn)
  changeEmail(
    @CurrentSession() gamer: SessionGamer,
    @Body() body: ChangeEmailDto,
    @Req() request: FastifyRequest,
  ): Promise<MessageResponse> {
    return this.commands.execute(new RequestEmailChange(body, askerOf(gamer, request)));
  }

  /** Changes the email with the token of the mailed link. */
  @Post('email/confirm')
  @HttpCode(200)
  confirmEmail(@Body() body: ConfirmEmailDto, @Req() request: FastifyRequest, @CommandId() commandId: string) {
    return this.commands.execute(new ConfirmEmailChange(body, request.ip, commandId));
  }

  /** The gamer's own sessions, newest first. */
  @Get('sessions')
  @UseGuards(LoggedIn)
  async listSessions(
    @CurrentSession() { gamerId }: SessionGamer,
    @Req() { session }: FastifyRequest,
  ): Promise<OwnSession[]> {
    const own = await this.sessions.listOf(gamerId);
    return own.map(({ sid, ...rest }) => ({ id: this.publicId(sid), ...rest, isCurrent: sid === session?.sid }));
  }

  /** Ends one of the gamer's own sessions, and closes its sockets. */
  @Delete('sessions/:id')
  @UseGuards(LoggedIn)
  async endSession(@CurrentSession() { gamerId }: SessionGamer, @Param('id') id: string): Promise<MessageResponse> {
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

/** Staff prove their second factor first: their password alone must not move their account to another mailbox. */
function askerOf(gamer: SessionGamer, { ip, session }: FastifyRequest) {
  if (isStaff(gamer.role)) mustBeSteppedUp(session);
  return { gamer, address: ip, sid: session?.sid ?? '' };
}
