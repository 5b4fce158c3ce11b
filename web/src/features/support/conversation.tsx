import type { SupportTicket, TicketMessage } from '../../../../contracts/http/support.js';
import { dateTimeText } from '../../shared/format.js';
import './support.css';

/** A ticket's messages, oldest first. @param gamer the ticket's gamer as the reader knows them */
export const Conversation = ({ messages, gamer }: { messages: readonly TicketMessage[]; gamer: string }) => (
  <ol className="conversation" aria-label="Conversation">
    {messages.map(({ from, text, atMs }) => (
      <li key={`${from} ${atMs}`} className={from === 'support' ? 'answer' : undefined}>
        <b>{from === 'support' ? 'Answer from support' : gamer}</b>
        <span className="t14 dim">{`, ${dateTimeText(atMs)}`}</span>
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

/** An address without the punctuation that ends its sentence. */
const ADDRESS = /(https?:\/\/\S*[^\s.,;:!?)\]}>'"])/;
/** Pages that only show something. A stranger's text must not link to one that changes the account of its reader. */
const LINKED_PAGES = /^\/(verify|record|statement|rounds\/\d+|audit)$/;

/** A typed text in which addresses of this site's records are links. Any other address stays text. */
const LinkedText = ({ text }: { text: string }) => (
  <p className="ticket-text">
    {text.split(ADDRESS).map((part, index) => {
      const url = recordAddress(part);
      if (url === null) return part;
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
        <a key={index} className="underline" href={url} target="_blank" rel="noopener">
          {part}
        </a>
      );
    })}
  </p>
);

export function recordAddress(text: string, origin = window.location.origin): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return url.origin === origin && LINKED_PAGES.test(url.pathname) ? url.href : null;
}
