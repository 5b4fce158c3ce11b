import type { SupportTicket, TicketMessage } from '../../../../contracts/http/support.js';
import { dateTimeText } from '../../shared/format.js';
import { LinkedText } from './linked-text.js';

/** A ticket's messages, oldest first. @param gamer what the reader calls the ticket's gamer */
export const Conversation = ({ messages, gamer }: { messages: readonly TicketMessage[]; gamer: string }) => (
  <ol className="conversation" aria-label="Conversation">
    {messages.map(({ from, text, at }) => (
      <li key={`${from} ${at}`} className={from === 'support' ? 'answer' : undefined}>
        <b>{from === 'support' ? 'Answer from support' : gamer}</b>
        <span className="t14 dim">{`, ${dateTimeText(at)}`}</span>
        <LinkedText text={text} />
      </li>
    ))}
  </ol>
);

export function statusText({ status, messages }: SupportTicket): string {
  if (status === 'closed') return 'Closed';
  if (messages.at(-1)?.from === 'support') return 'Answered';
  return messages.length > 1 ? 'Continued' : 'Open';
}
