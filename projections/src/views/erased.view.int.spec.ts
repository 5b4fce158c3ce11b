import type { OurEvent } from '../../../contracts/events/recorded.js';
import { gamerStream, LEDGER_STREAM, postStream, ticketStream } from '../../../contracts/streams.js';
import { compareViews } from '../rebuild-views.js';
import { MemoryLog } from '../testing/memory-log.js';
import { TestWorker } from '../testing/worker.js';
import { communityView } from './community.view.js';
import { gamersView } from './gamers.view.js';
import { ticketsView } from './support.view.js';
import { walletsView } from './withdrawals.view.js';

const BITCOIN = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';
const views = [gamersView, walletsView, communityView, ticketsView];
const log = new MemoryLog();
const worker = TestWorker.forTests('each');
const record = (stream: string, event: OurEvent, role: 'gamer' | 'admin' = 'gamer') =>
  log.record(stream, event, { actor: { id: role, role } });

/** A gamer's registration, wallet, new tag, depositor status, ticket and post. */
function recordGamer(gamerId: string): void {
  const own = gamerStream(gamerId);
  const ticketId = `ticket-of-${gamerId}`;
  const gamerTag = `tag-of-${gamerId}`;
  const account = { gamerId, gamerTag, email: `${gamerId}@example.com`, refCode: gamerId, sponsorId: null };
  record(own, { type: 'GamerRegistered', data: { ...account, role: 'gamer' } });
  record(LEDGER_STREAM, { type: 'GamerEnrolled', data: { gamerId, sponsorId: null, parentId: 'admin', slot: 0 } });
  record(own, { type: 'WalletSaved', data: { gamerId, cryptoType: 'BTC', walletAddress: BITCOIN } });
  record(
    own,
    { type: 'GamerRenamed', data: { gamerId, gamerTag: `new-${gamerTag}`, gamerTagBefore: gamerTag } },
    'admin',
  );
  record(LEDGER_STREAM, { type: 'DepositorStatusSet', data: { gamerId, untilMs: 1_000 } }, 'admin');
  ticket(gamerId, ticketId);
  post(gamerId, `post-of-${gamerId}`);
}

function ticket(gamerId: string, ticketId: string): void {
  record(ticketStream(ticketId), {
    type: 'TicketOpened',
    data: { ticketId, gamerId, subject: gamerId, message: 'Help' },
  });
  record(ticketStream(ticketId), { type: 'TicketClosed', data: { ticketId, adminNotes: `Dear ${gamerId}` } }, 'admin');
}

function post(gamerId: string, postId: string): void {
  record(postStream(postId), { type: 'PostPublished', data: { postId, gamerId, message: `I am ${gamerId}` } });
  record(postStream(postId), { type: 'PostHidden', data: { postId, reason: `${gamerId} again` } }, 'admin');
}

recordGamer('alice');
recordGamer('bob');
const nothing = { moved: [], forfeitedPurchaseCents: 0, forfeitedWinningsCents: 0 };
record(LEDGER_STREAM, { type: 'GamerRemoved', data: { gamerId: 'bob', ...nothing } }, 'admin');
// Appended after the removal, by requests that were under way during it.
record(gamerStream('bob'), { type: 'WalletSaved', data: { gamerId: 'bob', cryptoType: 'LTC', walletAddress: 'late' } });
record(
  gamerStream('bob'),
  { type: 'GamerRenamed', data: { gamerId: 'bob', gamerTag: 'bobby', gamerTagBefore: 'new-tag-of-bob' } },
  'admin',
);
ticket('bob', 'late-ticket-of-bob');
post('bob', 'late-post-of-bob');
recordGamer('carol');

/** The log after the removed gamer's streams were tombstoned and scavenged. */
const scavenged = new MemoryLog();
scavenged.add(log.events.filter(({ stream }) => stream === LEDGER_STREAM || !stream.includes('bob')));

it.each([1, 1_000])(
  'leaves the same rows of a removed gamer as the scavenged log yields, in batches of %i',
  async (maxEvents) => {
    await worker.project(log, { views, limits: { maxEvents, lingerMs: 5 } });
    const comparisons = await compareViews(views, { databaseUrl: worker.database.url, log: scavenged });
    expect(comparisons.map(({ table, onlyServing, onlyRebuilt }) => [table, onlyServing, onlyRebuilt])).toEqual(
      views.flatMap(({ tables }) => tables).map((table) => [table, 0, 0]),
    );
    const { rows } = await worker.db.query('SELECT id, gamer_tag, email, role, depositor_until_ms FROM gamers');
    const names = Object.fromEntries(rows.map(({ id, ...row }) => [id, Object.values(row)]));
    expect(names).toEqual({
      alice: ['new-tag-of-alice', 'alice@example.com', 'gamer', '1000'],
      bob: [null, null, null, null],
      carol: ['new-tag-of-carol', 'carol@example.com', 'gamer', '1000'],
    });
  },
);
