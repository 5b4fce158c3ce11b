import { Transform } from 'class-transformer';
import { IsIn, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import type { OpenTicketRequest, TicketStatus, UpdateTicketRequest } from '../../../contracts/http/support.js';
import {
  ADMIN_NOTES_MAX_LENGTH,
  TICKET_MESSAGE_MAX_LENGTH,
  TICKET_SUBJECT_MAX_LENGTH,
} from '../../../contracts/limits.js';
import { refusalText } from '../../../contracts/messages.js';

const trimmed = Transform(({ value }) => (typeof value === 'string' ? value.trim() : value));
const fieldsRequired = refusalText({ code: 'ticket-fields-required' });

export class OpenTicketDto implements OpenTicketRequest {
  @IsString({ message: refusalText({ code: 'not-logged-in' }) })
  gamerId!: string;

  @MaxLength(TICKET_SUBJECT_MAX_LENGTH, { message: refusalText({ code: 'ticket-subject-too-long' }) })
  @IsNotEmpty({ message: fieldsRequired })
  @IsString({ message: fieldsRequired })
  @trimmed
  subject!: string;

  @MaxLength(TICKET_MESSAGE_MAX_LENGTH, { message: refusalText({ code: 'ticket-message-too-long' }) })
  @IsNotEmpty({ message: fieldsRequired })
  @IsString({ message: fieldsRequired })
  @trimmed
  message!: string;
}

export class UpdateTicketDto implements UpdateTicketRequest {
  @IsIn(['open', 'closed'], { message: refusalText({ code: 'invalid-ticket-status' }) })
  status!: TicketStatus;

  @IsOptional()
  @MaxLength(ADMIN_NOTES_MAX_LENGTH, { message: refusalText({ code: 'notes-too-long' }) })
  @IsString({ message: 'Notes must be text' })
  @trimmed
  adminNotes?: string;
}
