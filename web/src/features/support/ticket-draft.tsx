import { onPageEvent } from '../../shared/live/live-events.js';
import { createStore } from '../../shared/store.js';
import { PageLink } from '../../shared/ui/controls.js';

export type TicketDraft = { subject: string; message: string };
export const EMPTY_TICKET: TicketDraft = { subject: '', message: '' };

/** The unsent ticket, until this page is left or its session ends: closing the dialog must not lose it. */
export const ticketDraft = createStore(EMPTY_TICKET);
onPageEvent('session-changed', () => ticketDraft.set(EMPTY_TICKET));

export function SupportLink({ paymentId, className }: { paymentId: string; className: string }) {
  const begin = () => ticketDraft.set({ ...ticketDraft.get(), subject: `Payment ${paymentId}` });
  return <PageLink className={className} to="/" hash="support" text="Contact Support" onClick={begin} />;
}
