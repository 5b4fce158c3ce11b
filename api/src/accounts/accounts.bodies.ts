import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsNotEmpty, IsOptional, IsString } from 'class-validator';
import type { LoginRequest, RegisterRequest } from '../../../contracts/http/accounts.js';
import { refusalText } from '../../../contracts/messages.js';

const required = { message: refusalText({ code: 'all-fields-required' }) };
const unknownCode = { message: refusalText({ code: 'referral-code-not-found' }) };
const trimmed = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.trim() : value);

export class RegisterBody implements RegisterRequest {
  @ApiProperty()
  @Transform(trimmed)
  @IsNotEmpty(required)
  @IsString(required)
  username!: string;

  @ApiProperty()
  @Transform(trimmed)
  @IsNotEmpty(required)
  @IsString(required)
  email!: string;

  @ApiProperty()
  @IsNotEmpty(required)
  @IsString(required)
  password!: string;

  @ApiPropertyOptional({ type: String, nullable: true })
  @Transform(trimmed)
  @IsOptional()
  @IsString(unknownCode)
  referralCode?: string | null;
}

export class LoginBody implements LoginRequest {
  @ApiProperty()
  @Transform(trimmed)
  @IsNotEmpty(required)
  @IsString(required)
  username!: string;

  @ApiProperty()
  @IsNotEmpty(required)
  @IsString(required)
  password!: string;
}
