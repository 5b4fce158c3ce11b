import { IsIn, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import {
  type OpenTicketRequest,
  TICKET_STATUSES,
  type TicketStatus,
  type UpdateTicketRequest,
} from '../../../contracts/http/support.js';
import {
  ADMIN_NOTES_MAX_LENGTH,
  TICKET_MESSAGE_MAX_LENGTH,
  TICKET_SUBJECT_MAX_LENGTH,
} from '../../../contracts/limits.js';
import { refusalText } from '../../../contracts/messages.js';
import { PageQuery } from '../http/page.js';
import { trimmed } from '../http/trimmed.js';

const fieldsRequired = refusalText({ code: 'ticket-fields-required' });

/** `?status=&page=&pageSize=` */
export class TicketsQuery extends PageQuery {
  @IsOptional()
  @IsIn(TICKET_STATUSES, { message: `status must be ${TICKET_STATUSES.join(' or ')}` })
  status?: TicketStatus;
}

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
  @IsIn(TICKET_STATUSES, { message: refusalText({ code: 'invalid-ticket-status' }) })
  status!: TicketStatus;

  @IsOptional()
  @MaxLength(ADMIN_NOTES_MAX_LENGTH, { message: refusalText({ code: 'notes-too-long' }) })
  @IsString({ message: 'Notes must be text' })
  @trimmed
  adminNotes?: string;
}
