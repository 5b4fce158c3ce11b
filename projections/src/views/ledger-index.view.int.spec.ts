import type { LedgerEvent } from '../../../contracts/events/ledger-events.js';
import type { LedgerMetadata } from '../../../contracts/events/metadata.js';
import type { Recorded, RecordedLedgerEvent } from '../../../contracts/events/recorded.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import { emptyBooks, enter } from '../../../domain/books.js';
import { CHAIN_START, chainAfter } from '../../../domain/chain.js';
import { postings } from '../../../domain/postings.js';
import { Story } from '../testing/story.js';
import { contents } from '../testing/tables.js';
import { Workplace } from '../testing/worker.js';
import { BOOKS_EVERY, ledgerIndexView } from './ledger-index.view.js';
import { keysOf } from './ledger-keys.js';
import { Batch } from './view.js';

// Long enough for a machine that is busy with other things.
jest.setTimeout(120_000);

const story = new Story(29).steps(3_000);
const log = chained(story.log);
const ledger = log.filter((recorded): recorded is RecordedLedgerEvent => recorded.stream === LEDGER_STREAM);
const ofType = <T extends LedgerEvent['type']>(type: T) =>
  ledger.flatMap(({ revision, event, metadata }) =>
    event.type === type ? [{ revision, data: event.data as Extract<LedgerEvent, { type: T }>['data'], metadata }] : [],
  );

/** The story's events bear no chain. */
function chained(events: readonly Recorded[]): Recorded[] {
  let chain = CHAIN_START;
  return events.map((recorded) => {
    if (recorded.stream !== LEDGER_STREAM) return recorded;
    const metadata = recorded.metadata as LedgerMetadata;
    chain = chainAfter(chain, recorded.id, recorded.event as LedgerEvent, metadata);
    return { ...recorded, metadata: { ...metadata, chain } };
  });
}

/** Numbers that look random and are the same each time. */
function sizesUpTo(most: number): () => number {
  let seed = 1;
  return () => {
    seed = (seed * 48_271) % 0x7fffffff;
    return 1 + (seed % most);
  };
}

let at: Workplace;
beforeAll(async () => {
  at = await Workplace.open();
});
afterAll(() => at.close());

/** Makes the tables anew from the log, cut into pieces. */
async function build(events: readonly Recorded[], sizeOf: () => number): Promise<Record<string, string[]>> {
  await at.db.query(`DROP SCHEMA IF EXISTS read CASCADE; CREATE SCHEMA read; ${ledgerIndexView.ddl}`);
  for (let from = 0, to = 0; from < events.length; from = to) {
    to = from + sizeOf();
    await ledgerIndexView.apply(new Batch(events.slice(from, to)), at.db);
  }
  return contents(at.db, [ledgerIndexView]);
}

it('is the same however the log is cut', async () => {
  const whole = await build(log, () => log.length);
  expect(await build(log, () => 1)).toEqual(whole);
  expect(await build(log, () => BOOKS_EVERY)).toEqual(whole);
  expect(await build(log, sizesUpTo(7))).toEqual(whole);
  expect(await build(log, sizesUpTo(1_700))).toEqual(whole);
});

it('passes over what is of other streams, and breaks at an event that does not follow', async () => {
  const others = log.filter(({ stream }) => stream !== LEDGER_STREAM);
  expect(others.length).toBeGreaterThan(0);
  expect(Object.values(await build(others, () => 3)).flat()).toEqual([]);
  await expect(build([...ledger.slice(0, 5), ...ledger.slice(6)], () => 5)).rejects.toThrow('does not follow');
});

describe('after the whole log', () => {
  beforeAll(() => build(log, sizesUpTo(400)));

  it('finds events by their keys, in order', async () => {
    const expected = new Map<string, number[]>();
    for (const one of ledger) {
      for (const key of keysOf(one)) expected.set(key, [...(expected.get(key) ?? []), one.revision]);
    }
    const { rows } = await at.db.query<{ key: string; revisions: number[] }>(
      'SELECT key, array_agg(revision::int ORDER BY revision) AS revisions FROM ledger_keys GROUP BY key',
    );
    expect(new Map(rows.map(({ key, revisions }) => [key, revisions]))).toEqual(expected);
    for (const { revision, data } of ofType('TokenPurchased')) {
      expect(expected.get(data.purchaseId)).toContain(revision);
      expect(expected.get(data.buyerId)).toContain(revision);
    }
  });

  it('lists all but purchases and extensions', async () => {
    const { rows } = await at.db.query('SELECT revision::int, type FROM ledger_rare ORDER BY revision');
    const rare = ledger.filter(({ event: { type } }) => type !== 'TokenPurchased' && type !== 'TimeExtended');
    expect(rows).toEqual(rare.map(({ revision, event: { type } }) => ({ revision, type })));
  });

  it('knows where each round begins and ends', async () => {
    const ends = new Map<number, { last: number; ended: string }>();
    for (const { revision, data } of ofType('RoundEnded')) {
      ends.set(data.roundId, { last: revision, ended: `${data.endedAtEpochMs}` });
    }
    const resets = ofType('GameReset').filter(({ data }) => data.roundId !== null);
    for (const { revision, data, metadata } of resets) {
      ends.set(data.roundId as number, { last: revision, ended: `${metadata.at}` });
    }
    expect(resets.length).toBeGreaterThan(0);
    const { rows } = await at.db.query(
      'SELECT round_id, first_revision::int AS first, last_revision::int AS last, ended_at_ms AS ended FROM ledger_rounds ORDER BY 1',
    );
    expect(rows).toEqual(
      ofType('GameStarted').map(({ revision, data }) => ({
        round_id: data.roundId,
        first: revision,
        ...(ends.get(data.roundId) ?? { last: null, ended: null }),
      })),
    );
    expect(ends.size).toBeGreaterThan(10);
  });

  it('keeps the books after the first event, every thousandth and the newest', async () => {
    const expected: { revision: number; at: string; books: unknown }[] = [];
    const books = emptyBooks();
    for (const { revision, event, metadata } of ledger) {
      enter(books, event, postings(event));
      const isThousandth = (revision + 1) % 1_000 === 0;
      if (revision === 0 || isThousandth || revision === ledger.length - 1) {
        expected.push({ revision, at: `${metadata.at}`, books: structuredClone(books) });
      }
    }
    const { rows } = await at.db.query('SELECT revision::int, at_ms AS at, books FROM ledger_books ORDER BY revision');
    expect(rows).toEqual(expected);
    expect(rows.length).toBeGreaterThan(3);
  });
});

it('keeps the newest books for good when they are a thousandth', async () => {
  const revisions = async () =>
    (await at.db.query<{ revision: number }>('SELECT revision::int FROM ledger_books ORDER BY 1')).rows.map(
      ({ revision }) => revision,
    );
  await build(ledger.slice(0, 1_000), () => 500);
  expect(await revisions()).toEqual([0, 999]);
  await ledgerIndexView.apply(new Batch(ledger.slice(1_000, 1_001)), at.db);
  expect(await revisions()).toEqual([0, 999, 1_000]);
  await ledgerIndexView.apply(new Batch(ledger.slice(1_001, 1_003)), at.db);
  expect(await revisions()).toEqual([0, 999, 1_002]);
});
