import { TICKET_MESSAGE_MAX_LENGTH, TICKET_SUBJECT_MAX_LENGTH } from '../../../../contracts/limits.js';
import { refusalText } from '../../../../contracts/messages.js';

export interface TicketDraft {
  subject: string;
  message: string;
}

export type TicketProblems = Partial<Record<keyof TicketDraft, string>>;

/** A ticket as typed (specification §5): both texts trimmed, or what is wrong with them by field. */
export function ticketOf(draft: TicketDraft): { ticket: TicketDraft } | { problems: TicketProblems; text: string } {
  const ticket = { subject: draft.subject.trim(), message: draft.message.trim() };
  const required = refusalText({ code: 'ticket-fields-required' });
  const problems: TicketProblems = {
    ...(ticket.subject === '' && { subject: required }),
    ...(ticket.message === '' && { message: required }),
    ...(ticket.subject.length > TICKET_SUBJECT_MAX_LENGTH && {
      subject: refusalText({ code: 'ticket-subject-too-long' }),
    }),
    ...(ticket.message.length > TICKET_MESSAGE_MAX_LENGTH && {
      message: refusalText({ code: 'ticket-message-too-long' }),
    }),
  };
  const text = problems.subject ?? problems.message;
  return text === undefined ? { ticket } : { problems, text };
}
