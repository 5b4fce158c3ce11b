import type { TicketEvent } from '../contracts/events/gamer-events.js';
import { continueTicket, evolveTicket, openTicket, type TicketState, updateTicket } from './support.js';

const opened = { ticketId: 't1', gamerId: 'alice', subject: 'A question', message: 'Where is my win?' };
const open: TicketEvent = { type: 'TicketOpened', data: opened };
const answered = (type: 'TicketClosed' | 'TicketReopened' | 'TicketNoted') => (adminNotes: string | null) =>
  ({ type, data: { ticketId: 't1', adminNotes } }) as TicketEvent;
const closed = answered('TicketClosed');
const reopened = answered('TicketReopened');
const noted = answered('TicketNoted');
const continued: TicketEvent = { type: 'TicketContinued', data: { ticketId: 't1', message: 'It is still missing' } };

const given = (...events: TicketEvent[]): TicketState => events.reduce<TicketState>(evolveTicket, null);

it('opening a ticket adds one event, also when it is repeated', () => {
  expect(openTicket(given(), opened)).toEqual({ events: [open] });
  expect(openTicket(given(open), opened)).toEqual({ events: [] });
  for (const other of [{ subject: 'Another' }, { message: 'Another' }])
    expect(openTicket(given(open), { ...opened, ...other })).toEqual({ refusal: { code: 'idempotency-key-reused' } });
});

describe('updating a ticket', () => {
  it.each<[string, TicketEvent[], 'open' | 'closed', string | null, TicketEvent[]]>([
    ['closes an open one', [open], 'closed', null, [closed(null)]],
    ['closes with notes', [open], 'closed', 'Paid', [closed('Paid')]],
    ['reopens a closed one', [open, closed('Paid')], 'open', null, [reopened(null)]],
    ['changes only the notes', [open], 'open', 'Looking', [noted('Looking')]],
    ['changes the notes of a closed one', [open, closed(null)], 'closed', 'Paid', [noted('Paid')]],
    ['adds no event for the same status without notes', [open, closed('Paid')], 'closed', null, []],
    ['adds no event for the same answer', [open, noted('Looking')], 'open', 'Looking', []],
  ])('%s', (_, before, status, adminNotes, events) => {
    expect(updateTicket(given(...before), { status, adminNotes })).toEqual({ events });
  });

  it('is refused for an unknown ticket', () => {
    expect(updateTicket(null, { status: 'closed', adminNotes: null })).toEqual({
      refusal: { code: 'ticket-not-found' },
    });
  });
});

it('is opened again by another message of its gamer', () => {
  expect(continueTicket(given(open, closed('Paid')), 'alice', 'It is still missing')).toEqual({ events: [continued] });
  for (const [ticket, gamerId] of [[given(open), 'bob'] as const, [null, 'alice'] as const])
    expect(continueTicket(ticket, gamerId, 'More')).toEqual({ refusal: { code: 'ticket-not-found' } });
  expect(() => given(continued)).toThrow('TicketContinued of t1, which was never opened');
  expect(given(open, closed(null))).toMatchObject({ lastAnswer: null, messageCount: 1 });
  const full = given(open, ...Array.from({ length: 99 }, () => continued));
  expect(continueTicket(full, 'alice', 'More')).toEqual({ refusal: { code: 'ticket-full' } });
  expect(given(open, closed('Paid'), continued)).toMatchObject({ status: 'open', messageCount: 3 });
});
