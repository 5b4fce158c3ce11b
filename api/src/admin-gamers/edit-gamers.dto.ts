import { IsIn, IsNotEmpty, IsString } from 'class-validator';
import type {
  AdminResetPasswordRequest,
  ChangeRoleRequest,
  EditProfileRequest,
} from '../../../contracts/http/people.js';
import { refusalText } from '../../../contracts/messages.js';
import { trimmed } from '../http/trimmed.js';

const required = { message: refusalText({ code: 'all-fields-required' }) };

export class EditProfileDto implements EditProfileRequest {
  @trimmed
  @IsNotEmpty(required)
  @IsString(required)
  gamerTag!: string;

  @trimmed
  @IsNotEmpty(required)
  @IsString(required)
  email!: string;
}

export class AdminResetPasswordDto implements AdminResetPasswordRequest {
  @IsNotEmpty(required)
  @IsString(required)
  password!: string;
}

export class ChangeRoleDto implements ChangeRoleRequest {
  @IsIn(['gamer', 'auditor'], { message: refusalText({ code: 'invalid-role' }) })
  role!: 'gamer' | 'auditor';
}
