import type { OurEvent, Recorded } from '../../../contracts/events/recorded.js';
import { COMMUNITY_STREAM, LEDGER_STREAM, ticketStream } from '../../../contracts/streams.js';
import type { BatchLimits } from '../batcher.js';
import { MemoryLog } from '../testing/memory-log.js';
import { Workplace } from '../testing/worker.js';
import { communityView } from './community.view.js';
import { ticketsView } from './tickets.view.js';

// Long enough for a machine that is busy with other things.
jest.setTimeout(120_000);

const revisions = new Map<string, number>();
let position = 0;

function recorded(stream: string, event: OurEvent): Recorded {
  const revision = revisions.get(stream) ?? 0;
  revisions.set(stream, revision + 1);
  position += 1;
  const actor = { id: 'system', role: 'system' } as const;
  const metadata = { commandId: `c${position}`, actor, at: 1_000 + position, schema: 1 };
  return { id: `e${position}`, stream, revision, position: String(position), event, metadata };
}

const post = (postId: string, gamerId: string) =>
  recorded(COMMUNITY_STREAM, { type: 'PostPublished', data: { postId, gamerId, message: `${gamerId} says hello` } });
const hide = (postId: string) => recorded(COMMUNITY_STREAM, { type: 'PostHidden', data: { postId, reason: 'rude' } });
const open = (ticketId: string, gamerId: string) =>
  recorded(ticketStream(ticketId), {
    type: 'TicketOpened',
    data: { ticketId, gamerId, subject: 'Help', message: 'Please' },
  });
const told = (type: 'TicketClosed' | 'TicketReopened' | 'TicketNoted', ticketId: string, adminNotes: string | null) =>
  recorded(ticketStream(ticketId), { type, data: { ticketId, adminNotes } });
const remove = (gamerId: string) =>
  recorded(LEDGER_STREAM, {
    type: 'GamerRemoved',
    data: { gamerId, moved: [], forfeitedPurchaseCents: 0, forfeitedWinningsCents: 0 },
  });

const history = [
  post('p1', 'alice'),
  post('p2', 'bob'),
  open('t1', 'alice'),
  open('t2', 'bob'),
  hide('p1'),
  told('TicketClosed', 't1', 'Done'),
  told('TicketClosed', 't2', null),
  told('TicketReopened', 't1', null),
  told('TicketNoted', 't2', 'Wait'),
  remove('bob'),
  // Behind the removal, by a request that was on its way when it came.
  post('p3', 'bob'),
  open('t3', 'bob'),
  told('TicketClosed', 't3', 'Too late'),
  post('p4', 'alice'),
  open('t4', 'alice'),
  told('TicketClosed', 't4', 'Quick'),
];

let at: Workplace;
beforeEach(async () => {
  at = await Workplace.open();
});
afterEach(() => at.close());

it.each<[string, BatchLimits]>([
  ['event by event', { maxEvents: 1, lingerMs: 0 }],
  ['all at once', { maxEvents: 1_000, lingerMs: 20 }],
])('what people wrote, without what the removed wrote, %s', async (_, limits) => {
  const log = new MemoryLog(3);
  log.add(history);
  const { failures } = at.start(log, { views: [communityView, ticketsView], limits });
  await at.reached(String(position));
  expect(failures).toEqual([]);
  const posts = await at.db.query(
    'SELECT id, message, is_hidden, revision, last_revision FROM community_posts ORDER BY id',
  );
  expect(posts.rows).toEqual([
    { id: 'p1', message: 'alice says hello', is_hidden: true, revision: '0', last_revision: '2' },
    { id: 'p2', message: '', is_hidden: false, revision: '1', last_revision: '1' },
    { id: 'p3', message: '', is_hidden: false, revision: '3', last_revision: '3' },
    { id: 'p4', message: 'alice says hello', is_hidden: false, revision: '4', last_revision: '4' },
  ]);
  const tickets = await at.db.query('SELECT id, status, admin_notes, resolved_at_ms FROM tickets ORDER BY id');
  expect(tickets.rows).toEqual([
    { id: 't1', status: 'open', admin_notes: 'Done', resolved_at_ms: null },
    { id: 't4', status: 'closed', admin_notes: 'Quick', resolved_at_ms: String(1_000 + position) },
  ]);
});
