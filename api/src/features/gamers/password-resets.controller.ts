import { Body, Controller, Ip } from '@nestjs/common';
import { canonicalEmail } from '../../../../contracts/email.js';
import type * as http from '../../../../contracts/http/gamers.js';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import { EMAIL_MAX_LENGTH } from '../../../../contracts/limits.js';
import { IdempotencyKey, PostCommand } from '../../http/session.js';
import { requiredText, trimmedText } from '../../http/validation.js';
import { Refused } from '../../platform/failures.js';
import { WithPosition } from '../../platform/with-position.js';
import { SecurityTrail } from '../staff/security-trail.store.js';
import { newPasswordRefusal } from './account.rules.js';
import { AccountsStore } from './accounts.store.js';
import { AttemptLimits } from './attempt-limits.js';
import { MailedLinks } from './mailed-links.store.js';
import { AccountPasswords } from './passwords.js';

export const TOKEN_MAX_LENGTH = 200;

export class RequestPasswordResetDto implements http.RequestPasswordResetRequest {
  @trimmedText('all-fields-required') gamerTag!: string;
  @trimmedText('all-fields-required', EMAIL_MAX_LENGTH, 'invalid-email') email!: string;
}

export class ResetLinkDto {
  @requiredText('invalid-reset-token', TOKEN_MAX_LENGTH) token!: string;
}

export class ResetPasswordDto extends ResetLinkDto implements http.ResetPasswordRequest {
  @requiredText('all-fields-required') newPassword!: string;
  @requiredText('all-fields-required') confirmPassword!: string;
}

@Controller('api')
export class PasswordResetsController {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly passwords: AccountPasswords,
    private readonly limits: AttemptLimits,
    private readonly links: MailedLinks,
    private readonly trail: SecurityTrail,
  ) {}

  /**
   * Requests a mail with a reset link; the response is the same whether the account exists or not (decision 33): the account is
   * looked up in every case, and the token and the mail, which only an existing account needs, are made after the response.
   */
  @PostCommand('request-password-reset')
  async requestPasswordReset(
    @Body() { gamerTag, email }: RequestPasswordResetDto,
    @Ip() address: string,
  ): Promise<MessageResponse> {
    await this.limits.countResetRequest({ gamerTag, email, address });
    const found = await this.accounts.findByTagOrEmail(gamerTag);
    const account = found && canonicalEmail(found.email) === canonicalEmail(email) ? found : null;
    await this.trail.record({ type: 'reset-requested', gamerId: account?.gamerId ?? null, address });
    if (account) this.links.sendForReset(account);
    return { message: 'If your account exists, a password reset email has been sent. Please check your email.' };
  }

  /** Whether a reset link can still be used; it stays unused. */
  @PostCommand('reset-password/check')
  async checkResetLink(@Body() { token }: ResetLinkDto): Promise<MessageResponse> {
    await this.links.find('reset-password', token);
    return { message: 'The link can be used' };
  }

  /** Sets a new password with the token of a reset link. */
  @PostCommand('reset-password')
  async resetPassword(
    @Body() { token, newPassword: password, confirmPassword }: ResetPasswordDto,
    @Ip() address: string,
    @IdempotencyKey() commandId: string,
  ): Promise<WithPosition<MessageResponse>> {
    if (password !== confirmPassword) throw new Refused('passwords-do-not-match');
    const code = newPasswordRefusal(password);
    if (code) throw new Refused(code);
    const { link, account } = await this.links.open('reset-password', token, address);
    await this.links.confirmed(link, address, commandId);
    const { gamerId, role } = account;
    const metadata = { actor: { id: gamerId, role }, commandId };
    const position = await this.passwords.change({ gamerId, password, by: 'reset-link' }, metadata, link);
    await this.trail.record({ type: 'password-reset', gamerId, address });
    const message = 'Your password has been updated successfully. Please log in with your new password.';
    return new WithPosition(position, { message });
  }
}
