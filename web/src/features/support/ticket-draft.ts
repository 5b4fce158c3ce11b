import { onPageEvent } from '../../shared/live/live-events.js';
import { createStore } from '../../shared/store.js';

export type TicketDraft = { subject: string; message: string };
export const EMPTY_TICKET: TicketDraft = { subject: '', message: '' };

/** The unsent ticket, until this page is left or its session ends: closing the dialog must not lose it. */
export const ticketDraft = createStore(EMPTY_TICKET);
onPageEvent('session-changed', () => ticketDraft.set(EMPTY_TICKET));

export const askAboutPayment = (paymentId: string): void =>
  ticketDraft.set({ ...ticketDraft.get(), subject: `Payment ${paymentId}` });
