import { IsNotEmpty, IsString, MaxLength } from 'class-validator';
import type { RequestPasswordResetRequest, ResetPasswordRequest } from '../../../contracts/http/people.js';
import { EMAIL_MAX_LENGTH } from '../../../contracts/limits.js';
import { refusalText } from '../../../contracts/messages.js';
import { trimmed } from '../http/trimmed.js';

const required = { message: refusalText({ code: 'all-fields-required' }) };
const invalidToken = { message: refusalText({ code: 'invalid-reset-token' }) };

export class RequestPasswordResetDto implements RequestPasswordResetRequest {
  @trimmed
  @IsNotEmpty(required)
  @IsString(required)
  gamerTag!: string;

  @trimmed
  @MaxLength(EMAIL_MAX_LENGTH, { message: refusalText({ code: 'invalid-email' }) })
  @IsNotEmpty(required)
  @IsString(required)
  email!: string;
}

export class ResetPasswordDto implements ResetPasswordRequest {
  @MaxLength(200, invalidToken)
  @IsNotEmpty(invalidToken)
  @IsString(invalidToken)
  token!: string;

  @IsNotEmpty(required)
  @IsString(required)
  newPassword!: string;

  @IsNotEmpty(required)
  @IsString(required)
  confirmPassword!: string;
}
