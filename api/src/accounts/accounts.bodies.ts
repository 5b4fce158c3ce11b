import { Transform } from 'class-transformer';
import { IsNotEmpty, IsOptional, IsString } from 'class-validator';
import type { LoginRequest, RegisterRequest } from '../../../contracts/http/accounts.js';
import { refusalText } from '../../../contracts/messages.js';

const required = { message: refusalText({ code: 'all-fields-required' }) };
const unknownCode = { message: refusalText({ code: 'referral-code-not-found' }) };
const trimmed = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.trim() : value);

export class RegisterBody implements RegisterRequest {
  @Transform(trimmed)
  @IsNotEmpty(required)
  @IsString(required)
  username!: string;

  @Transform(trimmed)
  @IsNotEmpty(required)
  @IsString(required)
  email!: string;

  @IsNotEmpty(required)
  @IsString(required)
  password!: string;

  @Transform(trimmed)
  @IsOptional()
  @IsString(unknownCode)
  referralCode?: string | null;
}

export class LoginBody implements LoginRequest {
  @Transform(trimmed)
  @IsNotEmpty(required)
  @IsString(required)
  username!: string;

  @IsNotEmpty(required)
  @IsString(required)
  password!: string;
}
