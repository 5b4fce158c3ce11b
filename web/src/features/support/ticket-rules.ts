import { TICKET_MESSAGE_MAX_LENGTH, TICKET_SUBJECT_MAX_LENGTH } from '../../../../contracts/limits.js';
import { type PlainRefusalCode, refusalText } from '../../../../contracts/refusals.js';
import type { Problems } from '../../shared/ui/controls.js';

export type TicketDraft = { subject: string; message: string };

/** The trimmed texts of a typed ticket, or the error of each field (specification §5). */
export function ticketOf(draft: TicketDraft): { ticket: TicketDraft } | { problems: Problems<TicketDraft> } {
  const ticket = { subject: draft.subject.trim(), message: draft.message.trim() };
  const problems = {
    ...problemOf('subject', ticket.subject, TICKET_SUBJECT_MAX_LENGTH, 'ticket-subject-too-long'),
    ...problemOf('message', ticket.message, TICKET_MESSAGE_MAX_LENGTH, 'ticket-message-too-long'),
  };
  return Object.keys(problems).length === 0 ? { ticket } : { problems };
}

function problemOf(field: keyof TicketDraft, text: string, limit: number, tooLong: PlainRefusalCode) {
  if (text === '') return { [field]: refusalText({ code: 'ticket-fields-required' }) };
  return text.length > limit ? { [field]: refusalText({ code: tooLong }) } : {};
}
