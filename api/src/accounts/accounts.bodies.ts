import { IsNotEmpty, IsOptional, IsString } from 'class-validator';
import type { LoginRequest, RegisterRequest } from '../../../contracts/http/accounts.js';
import { refusalText } from '../../../contracts/messages.js';
import { trimmed } from '../http/trimmed.js';

const required = { message: refusalText({ code: 'all-fields-required' }) };
const unknownCode = { message: refusalText({ code: 'referral-code-not-found' }) };

export class RegisterBody implements RegisterRequest {
  @trimmed
  @IsNotEmpty(required)
  @IsString(required)
  username!: string;

  @trimmed
  @IsNotEmpty(required)
  @IsString(required)
  email!: string;

  @IsNotEmpty(required)
  @IsString(required)
  password!: string;

  @trimmed
  @IsOptional()
  @IsString(unknownCode)
  referralCode?: string | null;
}

export class LoginBody implements LoginRequest {
  @trimmed
  @IsNotEmpty(required)
  @IsString(required)
  username!: string;

  @IsNotEmpty(required)
  @IsString(required)
  password!: string;
}
