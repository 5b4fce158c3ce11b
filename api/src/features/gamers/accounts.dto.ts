import { IsOptional, IsString, MaxLength } from 'class-validator';
import type { LoginRequest, RegisterRequest, RequestPasswordResetRequest, ResetPasswordRequest } from '../../../../contracts/http/gamers.js';
import { EMAIL_MAX_LENGTH } from '../../../../contracts/limits.js';
import { refuseAs, requiredText, trimmed } from '../../http/validation.js';

export const TOKEN_MAX_LENGTH = 200;
/** Longest code of a second factor, however it is typed. */
export const CODE_MAX_LENGTH = 64;

export class RegisterDto implements RegisterRequest {
  @trimmed
  @requiredText('all-fields-required')
  username!: string;

  @trimmed
  @requiredText('all-fields-required')
  email!: string;

  @requiredText('all-fields-required')
  password!: string;

  @trimmed
  @IsOptional()
  @IsString(refuseAs('referral-code-not-found'))
  referralCode?: string | null;
}

export class LoginDto implements LoginRequest {
  @trimmed
  @requiredText('all-fields-required')
  username!: string;

  @requiredText('all-fields-required')
  password!: string;

  @MaxLength(CODE_MAX_LENGTH, refuseAs('wrong-code'))
  @IsString(refuseAs('wrong-code'))
  @IsOptional()
  code?: string;
}

export class RequestPasswordResetDto implements RequestPasswordResetRequest {
  @trimmed
  @requiredText('all-fields-required')
  gamerTag!: string;

  @trimmed
  @MaxLength(EMAIL_MAX_LENGTH, refuseAs('invalid-email'))
  @requiredText('all-fields-required')
  email!: string;
}

export class ResetPasswordDto implements ResetPasswordRequest {
  @MaxLength(TOKEN_MAX_LENGTH, refuseAs('invalid-reset-token'))
  @requiredText('invalid-reset-token')
  token!: string;

  @requiredText('all-fields-required')
  newPassword!: string;

  @requiredText('all-fields-required')
  confirmPassword!: string;
}
