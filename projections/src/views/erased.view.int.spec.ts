import type { OurEvent, Recorded } from '../../../contracts/events/recorded.js';
import { gamerStream, LEDGER_STREAM, ticketStream } from '../../../contracts/streams.js';
import { compareViews } from '../compare-views.js';
import { MemoryLog } from '../testing/memory-log.js';
import { Workplace } from '../testing/worker.js';
import { activityView } from './activity.view.js';
import { gamersView } from './gamers.view.js';
import { walletsView } from './wallets.view.js';

// Long enough for a machine that is busy with other things.
jest.setTimeout(120_000);

const BITCOIN = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';
const views = [gamersView, walletsView, activityView];
const history: Recorded[] = [];

function tell(stream: string, event: OurEvent, role: 'gamer' | 'admin' = 'gamer'): void {
  const revision = history.filter((recorded) => recorded.stream === stream).length;
  const number = String(history.length).padStart(12, '0');
  const metadata = { commandId: `c${number}`, actor: { id: role, role }, at: history.length, schema: 1 };
  const position = String(history.length * 10);
  history.push({ id: `00000000-0000-4000-8000-${number}`, stream, revision, position, event, metadata });
}

function live(gamerId: string): void {
  const own = gamerStream(gamerId);
  const ticketId = `ticket-of-${gamerId}`;
  const gamerTag = `tag-of-${gamerId}`;
  const who = { gamerId, gamerTag, email: `${gamerId}@example.com`, refCode: gamerId, sponsorId: null };
  tell(own, { type: 'GamerRegistered', data: { ...who, role: 'gamer' } });
  tell(LEDGER_STREAM, { type: 'GamerEnrolled', data: { gamerId, sponsorId: null, parentId: 'house', slot: 0 } });
  tell(own, { type: 'WalletSaved', data: { gamerId, cryptoType: 'BTC', walletAddress: BITCOIN } });
  tell(
    own,
    { type: 'GamerRenamed', data: { gamerId, gamerTag: `new-${gamerTag}`, gamerTagBefore: gamerTag } },
    'admin',
  );
  tell(LEDGER_STREAM, { type: 'DepositorStatusSet', data: { gamerId, untilEpochMs: 1_000 } }, 'admin');
  ticket(gamerId, ticketId);
}

function ticket(gamerId: string, ticketId: string): void {
  tell(ticketStream(ticketId), {
    type: 'TicketOpened',
    data: { ticketId, gamerId, subject: gamerId, message: 'Help' },
  });
  tell(ticketStream(ticketId), { type: 'TicketClosed', data: { ticketId, adminNotes: `Dear ${gamerId}` } }, 'admin');
}

live('alice');
live('bob');
const nothing = { moved: [], forfeitedPurchaseCents: 0, forfeitedWinningsCents: 0 };
tell(LEDGER_STREAM, { type: 'GamerRemoved', data: { gamerId: 'bob', ...nothing } }, 'admin');
// Behind the removal, by requests that were on their way when it came.
tell(gamerStream('bob'), { type: 'WalletSaved', data: { gamerId: 'bob', cryptoType: 'LTC', walletAddress: 'late' } });
tell(
  gamerStream('bob'),
  { type: 'GamerRenamed', data: { gamerId: 'bob', gamerTag: 'bobby', gamerTagBefore: 'new-tag-of-bob' } },
  'admin',
);
ticket('bob', 'late-ticket-of-bob');
live('carol');

/** The log once the removed gamer's streams were deleted and scavenged. */
const scavenged = history.filter(({ stream }) => stream === LEDGER_STREAM || !stream.includes('bob'));

it.each([1, 1_000])('a removed gamer leaves what the scavenged log yields, in batches of %i', async (maxEvents) => {
  const at = await Workplace.open();
  const log = new MemoryLog();
  log.add(history);
  const { failures } = at.start(log, { views, limits: { maxEvents, lingerMs: 5 } });
  await at.reached(history.at(-1)?.position as string);
  expect(failures).toEqual([]);
  const rest = new MemoryLog();
  rest.add(scavenged);
  const comparisons = await compareViews(views, { databaseUrl: at.database.url, log: rest });
  expect(comparisons.map(({ table, onlyServing, onlyRebuilt }) => [table, onlyServing, onlyRebuilt])).toEqual(
    views.flatMap(({ tables }) => tables).map((table) => [table, 0, 0]),
  );
  const people = await at.db.query('SELECT id, gamer_tag, email, role, depositor_until_ms FROM gamers ORDER BY id');
  expect(people.rows).toEqual([
    {
      id: 'alice',
      gamer_tag: 'new-tag-of-alice',
      email: 'alice@example.com',
      role: 'gamer',
      depositor_until_ms: '1000',
    },
    { id: 'bob', gamer_tag: null, email: null, role: null, depositor_until_ms: null },
    {
      id: 'carol',
      gamer_tag: 'new-tag-of-carol',
      email: 'carol@example.com',
      role: 'gamer',
      depositor_until_ms: '1000',
    },
  ]);
  const trail = await at.db.query(`SELECT gamer_id, event ->> 'type' AS type FROM activity ORDER BY position`);
  expect(trail.rows.filter(({ gamer_id }) => gamer_id === 'bob').map(({ type }) => type)).toEqual([
    'DepositorStatusSet',
    'GamerRemoved',
  ]);
  expect(trail.rows.filter(({ gamer_id }) => gamer_id === 'carol')).toHaveLength(3);
  await at.close();
});
