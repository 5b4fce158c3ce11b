import { Body, Controller, HttpCode, Param, Patch, Post, UseGuards } from '@nestjs/common';
import type { MessageResponse } from '../../../contracts/http/gamers.js';
import type { CommandId as Id } from '../../../contracts/ids.js';
import { AccountChanges } from '../accounts/account-changes.js';
import { actorOf } from '../http/actor.js';
import { CommandId } from '../http/command-id.js';
import { type WithPosition, withPosition } from '../http/position.interceptor.js';
import { AdminOnly, CurrentSession, type GamerOfSession } from '../http/session.js';
import { AdminResetPasswordDto, ChangeRoleDto, EditProfileDto } from './edit-gamers.dto.js';

type Saved = Promise<WithPosition<MessageResponse>>;

/** What the admin changes about who a gamer is (specification §6, §7). */
@Controller('api/admin/mini/gamers/:id')
@UseGuards(AdminOnly)
export class EditGamersController {
  constructor(private readonly changes: AccountChanges) {}

  /** Changes a gamer’s GamerTag and email. */
  @Patch('profile')
  async editProfile(
    @CurrentSession() session: GamerOfSession,
    @CommandId() commandId: Id,
    @Param('id') id: string,
    @Body() { gamerTag, email }: EditProfileDto,
  ): Saved {
    const position = await this.changes.editProfile(id, { gamerTag, email }, { actor: actorOf(session), commandId });
    return withPosition(position, { message: 'The profile is saved' });
  }

  /** Gives a gamer another password; all of their sessions end. */
  @Post('reset-password')
  @HttpCode(200)
  async resetPassword(
    @CurrentSession() session: GamerOfSession,
    @CommandId() commandId: Id,
    @Param('id') id: string,
    @Body() { password }: AdminResetPasswordDto,
  ): Saved {
    const position = await this.changes.changePassword(id, password, 'admin', { actor: actorOf(session), commandId });
    return withPosition(position, { message: 'The password is set, and all sessions of the gamer have ended' });
  }

  /** Makes a gamer an auditor, or an auditor a gamer. */
  @Post('role')
  @HttpCode(200)
  async changeRole(
    @CurrentSession() session: GamerOfSession,
    @CommandId() commandId: Id,
    @Param('id') id: string,
    @Body() { role }: ChangeRoleDto,
  ): Saved {
    const position = await this.changes.changeRole(id, role, { actor: actorOf(session), commandId });
    return withPosition(position, { message: `The role is ${role}` });
  }
}
