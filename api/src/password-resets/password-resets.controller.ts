import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { MessageResponse } from '../../../contracts/http/gamers.js';
import type { CommandId as Id } from '../../../contracts/ids.js';
import { addressOf } from '../accounts/address.js';
import { AttemptLimits } from '../accounts/attempt-limits.js';
import { Clock } from '../http/clock.js';
import { CommandId } from '../http/command-id.js';
import { type WithPosition, withPosition } from '../http/position.interceptor.js';
import { RequestPasswordResetDto, ResetPasswordDto } from './password-resets.dto.js';
import { PasswordResets } from './password-resets.js';

@Controller('api')
export class PasswordResetsController {
  constructor(
    private readonly resets: PasswordResets,
    private readonly limits: AttemptLimits,
    private readonly clock: Clock,
  ) {}

  /** Asks for a mail with a reset link; the answer is the same whether the account exists or not. */
  @Post('request-password-reset')
  @HttpCode(200)
  async request(@Body() body: RequestPasswordResetDto, @Req() request: Request): Promise<MessageResponse> {
    await this.limits.countResetRequest({ ...body, ip: addressOf(request) });
    await this.resets.request(body, new Date(this.clock.now()));
    return {
      message: 'If your account exists, a password reset email has been sent. Please check your email.',
    };
  }

  /** Sets a new password with the token of a reset link. */
  @Post('reset-password')
  @HttpCode(200)
  async reset(
    @Body() body: ResetPasswordDto,
    @Req() request: Request,
    @CommandId() commandId: Id,
  ): Promise<WithPosition<MessageResponse>> {
    await this.limits.countReset(addressOf(request));
    const position = await this.resets.reset(body, commandId, new Date(this.clock.now()));
    const message = 'Your password has been updated successfully. Please log in with your new password.';
    return withPosition(position, { message });
  }
}
