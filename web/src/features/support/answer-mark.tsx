import type { SupportTicket } from '../../../../contracts/http/support.js';
import { useApi } from '../../shared/api/api-client.js';
import { createStoredText, useStore } from '../../shared/store.js';

export const TICKETS_KEY = ['/api', 'support', 'tickets'] as const;

const seen = createStoredText('omni.answers-seen');

/** A text that changes with every answer to these tickets. */
const answersIn = (tickets: readonly SupportTicket[]): string =>
  tickets.flatMap((ticket) => lastAnswerIn(ticket)?.atMs ?? ticket.resolvedAt ?? []).join();
const lastAnswerIn = ({ messages }: SupportTicket) => messages.findLast(({ from }) => from === 'support');

export const markSeen = (tickets: readonly SupportTicket[]): void => seen.set(answersIn(tickets));

/** Says that support answered since this browser last showed the tickets; the menu and its link to support carry a dot. */
export default function AnswerMark() {
  const { data = [] } = useApi<SupportTicket[]>(TICKETS_KEY, { refreshOn: ['support:ticket_updated'] });
  const answers = answersIn(data);
  const isNew = useStore(seen) !== answers && answers !== '';
  return (
    <span role="status" className={isNew ? 'sr answered' : 'sr'}>
      {isNew && 'Support answered your ticket'}
    </span>
  );
}
