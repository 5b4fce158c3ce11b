import { seededRandom } from '../../../api/test/seeded-random.js';
import type { LedgerEvent } from '../../../contracts/events/ledger-events.js';
import type { Recorded, RecordedLedgerEvent } from '../../../contracts/events/recorded.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import { caseCount } from '../../../contracts/testing/case-count.js';
import { postings } from '../../../domain/ledger/postings.js';
import { addToTrialBalance, emptyTrialBalance } from '../../../domain/ledger/trial-balance.js';
import { RandomGame } from '../testing/scenario.js';
import { contents, TestWorker } from '../testing/worker.js';
import { ledgerIndexView, TRIAL_BALANCE_EVERY } from './audit-ledger-index.view.js';
import { Batch } from './view.js';

const scenario = new RandomGame(29).steps(2_200);
const { log } = scenario;
const ledger = log.filter((recorded): recorded is RecordedLedgerEvent => recorded.stream === LEDGER_STREAM);
const ofType = <T extends LedgerEvent['type']>(type: T) =>
  ledger.flatMap(({ revision, event, metadata }) =>
    event.type === type ? [{ revision, data: event.data as Extract<LedgerEvent, { type: T }>['data'], metadata }] : [],
  );

/** Pseudo-random numbers from 1 to `most`, the same in every run. */
function sizesUpTo(most: number): () => number {
  const next = seededRandom(1);
  return () => 1 + Math.floor(next() * most);
}

const worker = TestWorker.forTests('all');

/** Builds the tables from these events in batches of these sizes. */
async function build(events: readonly Recorded[], sizeOf: () => number): Promise<Record<string, string[]>> {
  await worker.db.query(`DROP SCHEMA IF EXISTS read CASCADE; CREATE SCHEMA read; ${ledgerIndexView.ddl}`);
  for (let from = 0, to = 0; from < events.length; from = to) {
    to = from + sizeOf();
    await ledgerIndexView.apply(new Batch(events.slice(from, to)), worker.db);
  }
  return contents(worker.db, [ledgerIndexView]);
}

it('is the same for every batch size', async () => {
  const whole = await build(log, () => log.length);
  // Event by event only where the thousandth event is near, because that takes long.
  const near = log.indexOf(ledger[TRIAL_BALANCE_EVERY - 100]!);
  const sizes = [near, ...Array<number>(caseCount(200, log.length)).fill(1)];
  expect(await build(log, () => sizes.shift() ?? log.length)).toEqual(whole);
  expect(await build(log, () => TRIAL_BALANCE_EVERY)).toEqual(whole);
  expect(await build(log, sizesUpTo(7))).toEqual(whole);
  expect(await build(log, sizesUpTo(1_700))).toEqual(whole);
});

it('ignores events of other streams, and throws for a gap in the revisions', async () => {
  const others = log.filter(({ stream }) => stream !== LEDGER_STREAM);
  expect(others.length).toBeGreaterThan(0);
  expect(Object.values(await build(others, () => 3)).flat()).toEqual([]);
  await expect(build([...ledger.slice(0, 5), ...ledger.slice(6)], () => 5)).rejects.toThrow('does not follow');
});

describe('after the whole log', () => {
  beforeAll(() => build(log, sizesUpTo(400)));

  it('lists all events by type but purchases and extensions', async () => {
    const { rows } = await worker.db.query('SELECT revision::int, type FROM ledger_events_by_type ORDER BY revision');
    const indexed = ledger.filter(({ event: { type } }) => type !== 'TokenPurchased' && type !== 'TimeExtended');
    expect(rows).toEqual(indexed.map(({ revision, event: { type } }) => ({ revision, type })));
  });

  it('has the first and last event of each round', async () => {
    const ends = new Map<number, { last: number; ended: string }>();
    for (const { revision, data } of ofType('RoundEnded')) {
      ends.set(data.roundId, { last: revision, ended: `${data.endedAtMs}` });
    }
    const resets = ofType('GameReset').filter(({ data }) => data.roundId !== null);
    for (const { revision, data, metadata } of resets) {
      ends.set(data.roundId as number, { last: revision, ended: `${metadata.at}` });
    }
    expect(resets.length).toBeGreaterThan(0);
    const { rows } = await worker.db.query(
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

  it('keeps the trial balance after the first, every thousandth and the newest event', async () => {
    const expected: { revision: number; at: string; trialBalance: unknown }[] = [];
    const trialBalance = emptyTrialBalance();
    for (const { revision, event, metadata } of ledger) {
      addToTrialBalance(trialBalance, event, postings(event));
      const isThousandth = (revision + 1) % 1_000 === 0;
      if (revision === 0 || isThousandth || revision === ledger.length - 1) {
        expected.push({ revision, at: `${metadata.at}`, trialBalance: structuredClone(trialBalance) });
      }
    }
    const { rows } = await worker.db.query(
      'SELECT revision::int, at_ms AS at, trial_balance AS "trialBalance" FROM ledger_trial_balances ORDER BY revision',
    );
    expect(rows).toEqual(expected);
    expect(rows.length).toBeGreaterThan(3);
  });
});

it('keeps a newest trial balance that is also a thousandth one', async () => {
  const revisions = async () => {
    const { rows } = await worker.db.query('SELECT revision::int FROM ledger_trial_balances ORDER BY 1');
    return rows.map(({ revision }) => revision);
  };
  await build(ledger.slice(0, 1_000), () => 500);
  expect(await revisions()).toEqual([0, 999]);
  await ledgerIndexView.apply(new Batch(ledger.slice(1_000, 1_001)), worker.db);
  expect(await revisions()).toEqual([0, 999, 1_000]);
  await ledgerIndexView.apply(new Batch(ledger.slice(1_001, 1_003)), worker.db);
  expect(await revisions()).toEqual([0, 999, 1_002]);
});
