import { Client } from 'pg';
import type { LedgerEvents } from '../../contracts/events/ledger-events.js';
import type { Recorded, RecordedLedgerEvent } from '../../contracts/events/recorded.js';
import type { TokenTerms } from '../../contracts/limits.js';
import { LEDGER_STREAM } from '../../contracts/streams.js';
import { evolve } from '../../domain/ledger/evolve.js';
import { emptyLedger } from '../../domain/ledger/ledger-state.js';
import { directChanges } from '../../domain/ledger/undo-log.js';
import { compareViews } from '../../projections/src/rebuild-views.js';
import { MemoryLog } from '../../projections/src/testing/memory-log.js';
import { RandomGame } from '../../projections/src/testing/scenario.js';
import { TestWorker } from '../../projections/src/testing/worker.js';
import { allViews } from '../../projections/src/views/all-views.js';
import { readTables } from '../tables/tables.js';
import { Auditor } from './auditor.js';

/** The product's constants as they are, until a test changes them as a release would. */
let mockTerms: TokenTerms | undefined;

jest.mock('../../contracts/limits.js', () => {
  const actual = jest.requireActual<typeof import('../../contracts/limits.js')>('../../contracts/limits.js');
  return {
    ...actual,
    get TERMS_OF_NEW_ROUNDS() {
      return mockTerms ?? actual.TERMS_OF_NEW_ROUNDS;
    },
  };
});

const NEW_TERMS: TokenTerms = {
  tokenPriceCents: 50,
  jackpotShareCents: 20,
  houseShareCents: 3,
  levelShareCents: [5, 4, 3, 2, 2, 3],
  directBonusCents: 8,
  matrixWidth: 4,
};

const ledgerOf = (log: readonly Recorded[]) =>
  log.filter((one): one is RecordedLedgerEvent => one.stream === LEDGER_STREAM);

const priceOf = ({ costCents, quantity }: LedgerEvents['TokenPurchased']): number => costCents / quantity;

it('applies changed constants to new rounds only, to the cent', async () => {
  const worker = await TestWorker.open();
  const database = new Client({ connectionString: worker.database.url });
  await database.connect();
  try {
    const scenario = new RandomGame(23).steps(400);
    const roundsBefore = scenario.state.game.lastRoundId;
    const old = [...scenario.log];
    const log = new MemoryLog();
    log.add(old);
    worker.start(log);
    await worker.reached(old.at(-1)!.position);

    mockTerms = NEW_TERMS;
    scenario.steps(400);
    const recent = scenario.log.slice(old.length);
    log.add(recent);
    await worker.reached(recent.at(-1)!.position);

    const ledger = ledgerOf([...old, ...recent]);
    const bought = ledger.flatMap(({ event }) => (event.type === 'TokenPurchased' ? [event.data] : []));
    const [before, after] = [true, false].map((isOld) =>
      bought.filter(({ roundId }) => roundId <= roundsBefore === isOld),
    );
    expect(new Set(before!.map(priceOf))).toEqual(new Set([30]));
    expect(new Set(after!.map(priceOf))).toEqual(new Set([50]));
    const slots = ledger.flatMap(({ event }) => (event.type === 'GamerEnrolled' ? [event.data.slot] : []));
    expect(slots).toContain(3);

    const state = emptyLedger();
    for (const { revision, event, metadata } of ledger) {
      evolve(state, { revision, event, metadata: { ...metadata } }, directChanges);
    }
    expect(state).toEqual(scenario.state);

    const auditor = new Auditor();
    for (const one of ledger) auditor.take(one);
    expect(auditor.findings).toEqual([]);
    const { comparisons, notCompared } = await readTables(database);
    expect(comparisons.flatMap((differencesFrom) => differencesFrom(auditor))).toEqual([]);
    expect(notCompared).toEqual([]);

    const compared = await compareViews(allViews, { databaseUrl: worker.database.url, log });
    for (const table of compared) expect(table).toMatchObject({ onlyServing: 0, onlyRebuilt: 0 });
    const { rows } = await worker.db.query('SELECT total_profit_cents::int AS cents FROM stats');
    expect(rows).toEqual([{ cents: bought.reduce((sum, { houseShareCents }) => sum + houseShareCents, 0) }]);
  } finally {
    mockTerms = undefined;
    await database.end();
    await worker.close();
  }
});
