import { IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import type { HidePostRequest, PublishPostRequest } from '../../../contracts/http/community.js';
import { COMMUNITY_MESSAGE_MAX_LENGTH, REASON_MAX_LENGTH } from '../../../contracts/limits.js';
import { refusalText } from '../../../contracts/messages.js';
import { trimmed } from '../http/trimmed.js';

export class PublishPostDto implements PublishPostRequest {
  @IsString({ message: refusalText({ code: 'login-to-post' }) })
  gamerId!: string;

  @MaxLength(COMMUNITY_MESSAGE_MAX_LENGTH, { message: refusalText({ code: 'message-too-long' }) })
  @IsNotEmpty({ message: refusalText({ code: 'message-required' }) })
  @IsString({ message: refusalText({ code: 'message-required' }) })
  @trimmed
  message!: string;
}

export class HidePostDto implements HidePostRequest {
  @IsOptional()
  @MaxLength(REASON_MAX_LENGTH, { message: `A reason has at most ${REASON_MAX_LENGTH} characters` })
  @IsString({ message: 'The reason must be text' })
  @trimmed
  reason?: string;
}
