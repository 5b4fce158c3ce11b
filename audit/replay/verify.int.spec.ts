import { Client } from 'pg';
import { ok } from '../../api/test/visitor.js';
import { WholeApplication } from '../../api/test/whole-application.js';
import type { LedgerEventType } from '../../contracts/events/ledger-events.js';
import type { LedgerKeys } from '../../contracts/http/receipts.js';
import { until } from '../../contracts/testing/until.js';
import { EventLog } from '../../event-log/event-log.js';
import { rebuildViews } from '../../projections/src/rebuild-views.js';
import { TestWorker } from '../../projections/src/testing/worker.js';
import { allViews } from '../../projections/src/views/all-views.js';
import { auditorAsOf, describeState, describeTrialBalance, exportLines, statement } from '../cli/reports.js';
import { fsck } from '../proof/fsck.js';
import { checkProof } from '../proof/receipt.js';
import { readTables } from '../tables/tables.js';
import { type AuditVerdict, headInFile, ledgerOf, readSignedHeads, verify } from './verify.js';

const application = WholeApplication.forTests();
const { visitor: admin } = application.adminForTests();
const alice = application.gamerForTests('alice', 500);
const bob = application.gamerForTests('bob', 500);
let database: Client;
let log: EventLog;

/** A round of two purchases, which Alice wins. */
beforeAll(async () => {
  database = new Client({ connectionString: application.stores.databaseUrl });
  await database.connect();
  application.closesLater(() => database.end());
  log = new EventLog(application.stores.eventStoreUrl);
  application.closesLater(() => log.close());
  const seconds = { pregameDurationSeconds: 1, liveDurationSeconds: 4, downtimeDurationSeconds: 600 };
  await ok(admin.post('/api/admin/timers', { ...seconds, tokenExtensionSeconds: 1 }));
  await ok(admin.post('/api/admin/game/start', {}));
  await application.reached('live');
  for (const { id, visitor } of [bob, alice]) {
    await ok(visitor.post('/api/buy-from-balance', { quantity: 1, userId: id }));
  }
  await application.reached('downtime');
  // The tables lag behind the log.
  for (let at = await verdict(); at.comparedEvents !== at.events; ) at = await verdict();
});

const verdict = async (of = database): Promise<AuditVerdict> => verify(log, await readTables(of));
const findingTexts = async (): Promise<string[]> => (await verdict()).findings.map(({ message }) => message);

async function findingsAfter(sabotage: string): Promise<string[]> {
  const [, table] = /read\.(\w+)/.exec(sabotage) ?? [];
  await database.query(`CREATE TEMP TABLE kept AS TABLE read.${table}`);
  try {
    expect((await database.query(sabotage)).rowCount).toBe(1);
    return await findingTexts();
  } finally {
    await database.query(`DELETE FROM read.${table}`);
    await database.query(`INSERT INTO read.${table} TABLE kept`);
    await database.query('DROP TABLE kept');
  }
}

it('finds the node’s proof of the winner right, and the signed head in it, and the site', async () => {
  const visitor = application.visitor();
  const { body: proof } = await visitor.get<string>('/api/ledger/rounds/1/proof');
  const key = (await visitor.get<LedgerKeys>('/api/ledger/key')).body.keys[0] ?? '';
  const { holds, findings } = await checkProof(proof, { key, policy: null });
  expect([findings, holds.at(-1)]).toEqual([[], expect.stringContaining(`${alice.id} won round 1 with purchase`)]);
  expect((await verify(log, null, [headInFile('the proof', proof)])).findings).toEqual([]);
  const heads = await readSignedHeads(database);
  expect(heads).not.toHaveLength(0);
  expect(await verify(log, null, heads)).toMatchObject({ findings: [], heads: heads.length });
  expect(await fsck(application.api.url, key, () => undefined)).toBe(true);
});

it('finds nothing wrong in a played round: events, accounts and the winner', async () => {
  const { findings, events, comparedEvents, roundsWon } = await verdict();
  expect(findings).toEqual([]);
  expect(roundsWon).toBe(1);
  expect(comparedEvents).toBe(events);
});

it.each<[string, string]>([
  ['profit is $0.05, but $0.04 in', "UPDATE read.balances SET cents = cents + 1 WHERE account = 'house:profit'"],
  [
    'journal: jackpot is $0.26, but $0.00 in the log',
    "UPDATE read.journal_pages SET cents = ARRAY(SELECT greatest(one, 0) FROM unnest(cents) AS one) WHERE account = 'jackpot' AND 0 > ANY (cents)",
  ],
  ['winners: round 1 was won by', 'UPDATE read.winners SET jackpot_cents = jackpot_cents - 1'],
  [
    'round 7 has no winner',
    'INSERT INTO read.winners SELECT 7, winner_id, jackpot_cents, ended_at_ms FROM read.winners',
  ],
  ['tile 0/0 is not that of the log', 'UPDATE read.log_tiles SET hashes = set_byte(hashes, 40, 1)'],
  ['tile 0/0 is missing', 'DELETE FROM read.log_tiles'],
  ['is not shown as it is in the log', 'DELETE FROM read.public_record'],
  ['built from another history: event', "UPDATE read.checkpoint SET ledger_chain = repeat('ab', 32)"],
  [
    'has 2 adjustments ($5.00 added, $0.00 taken), but 2 adjustments ($10.00 added, $0.00 taken) in the log',
    'UPDATE read.daily_adjustments SET added_cents = 500',
  ],
])('finds sabotage of the tables: %s', async (expected, sql) => {
  expect(await findingsAfter(sql)).toEqual([expect.stringContaining(expected)]);
  expect(await findingTexts()).toEqual([]);
});

it('says that a table of the public record is missing', async () => {
  await database.query('ALTER TABLE read.public_record RENAME TO hidden');
  try {
    expect(await findingTexts()).toEqual([expect.stringContaining('public-record: tables are gone')]);
  } finally {
    await database.query('ALTER TABLE read.hidden RENAME TO public_record');
  }
});

describe('while a worker builds the tables', () => {
  let worker: TestWorker;
  let reading: Client;

  beforeAll(async () => {
    worker = await TestWorker.open();
    reading = new Client({ connectionString: worker.database.url });
    await reading.connect();
  });

  afterAll(async () => {
    await reading?.end();
    await worker?.close();
  });

  /** Verifies again and again until the tables have the whole ledger. Returns how many events each verdict compared. */
  async function verifiedUntilWhole(): Promise<(number | null)[]> {
    const compared: (number | null)[] = [];
    for (;;) {
      const { findings, comparedEvents, events } = await verdict(reading);
      expect(findings).toEqual([]);
      compared.push(comparedEvents);
      if (comparedEvents === events) return compared;
    }
  }

  it('finds nothing wrong for the first time: without tables, which lack every event, with empty ones, and with a part of the log', async () => {
    const none = await verdict(reading);
    const notCompared = ['balances', 'journal', 'winners', 'public-record', 'log-tiles'];
    expect(none).toMatchObject({ comparedEvents: null, findings: [], behindMs: expect.any(Number), notCompared });
    expect(none.behindMs).toBeGreaterThan(0);
    worker.start(log, { limits: { maxEvents: 1, lingerMs: 0 } });
    const compared = await verifiedUntilWhole();
    expect(new Set(compared).size).toBeGreaterThan(2);
  });

  it('finds nothing wrong while views are rebuilt and swapped in', async () => {
    let isRebuilt = false;
    const rebuilding = rebuildViews(allViews, { databaseUrl: worker.database.url, log }).then(() => {
      isRebuilt = true;
    });
    while (!isRebuilt) await verifiedUntilWhole();
    await rebuilding;
  });

  it('names a view that stands still while it is built anew', async () => {
    await worker.stopAll();
    await reading.query('DELETE FROM read.winners');
    await reading.query("UPDATE read.views SET position = 0 WHERE name = 'winners'");
    expect(await verdict(reading)).toMatchObject({ findings: [], notCompared: ['winners'] });
  });
});

/** The lines, in which one space stands for several. */
async function collected(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line.replace(/ +/g, ' '));
  return all;
}

it('prints an account’s statement with the balance after each change', async () => {
  const lines = await collected(statement(log, `gamer:${bob.id}:purchase`));
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('BalanceAdjusted $5.00 $5.00');
  expect(lines[1]).toContain('TokenPurchased −$0.30 $4.70');
});

describe('as of an event', () => {
  const lines = async (describeIt: typeof describeState, asOf: number | null): Promise<string> =>
    [...describeIt(await auditorAsOf(log, asOf))].map((line) => line.replace(/ +/g, ' ')).join('\n');
  /** The number of the first event of this type. */
  async function numberOf(type: LedgerEventType): Promise<number> {
    for await (const { event, revision } of ledgerOf(log)) if (event.type === type) return revision + 1;
    throw new Error(`no ${type}`);
  }

  it('prints the state of the game', async () => {
    const bought = await lines(describeState, await numberOf('TokenPurchased'));
    expect(bought).toContain('phase live until');
    expect(bought).toContain(`leader ${bob.id}`);
    expect(bought).toContain('jackpot $0.13');
    const now = await lines(describeState, null);
    expect(now).toContain('phase downtime until');
    expect(now).toContain('rounds ended 1');
    expect(now).toContain('gamers 2');
    expect(now).toContain('findings up to here 0');
  });

  it('prints the trial balance, whose sum is zero', async () => {
    const bought = await lines(describeTrialBalance, await numberOf('TokenPurchased'));
    expect(bought).toContain('gamers:purchase $9.70');
    expect(bought).toContain('jackpot $0.13');
    expect(bought).toMatch(/sum \$0\.00$/);
    expect(await lines(describeTrialBalance, null)).toContain('gamers:winnings $0.26');
  });
});

describe('an export', () => {
  it('holds every event with its chain, and when the store recorded it', async () => {
    const events = (await collected(exportLines(log, 'jsonl'))).map((line) => JSON.parse(line));
    const { chain, events: count } = await verdict();
    expect(events).toHaveLength(count);
    expect(events.at(-1)).toMatchObject({ number: count, metadata: { chain } });
    for (const { createdAtMs, metadata } of events) expect(Math.abs(createdAtMs - metadata.at)).toBeLessThan(60_000);
  });

  it('holds every posting of an account, for a spreadsheet', async () => {
    const [header, ...rows] = await collected(exportLines(log, 'csv'));
    expect(header).toBe('number,time,type,commandId,actorId,actorRole,account,cents\r\n');
    const jackpot = rows
      .map((row) => row.trimEnd().split(','))
      .filter(([, , , , , , account]) => account === 'jackpot');
    expect(jackpot.map(([, , type, , , , , cents]) => [type, cents])).toEqual([
      ['TokenPurchased', '13'],
      ['TokenPurchased', '13'],
      ['RoundEnded', '-26'],
    ]);
  });
});

it('refuses an event and an account that the ledger does not have', async () => {
  await expect(auditorAsOf(log, 900)).rejects.toThrow(/^The ledger has \d+ events, and none of number 900\.$/);
  await expect(collected(statement(log, 'gamer:nobody:purchase'))).rejects.toThrow('no account gamer:nobody:purchase');
});

it('finds a forced start in the public record', async () => {
  await ok(admin.post('/api/admin/game/start-live', {}));
  const shown = "SELECT FROM read.public_record WHERE event ->> 'type' = 'LiveStarted'";
  await until(async () => (await database.query(shown)).rows.length === 1);
  expect(await findingTexts()).toEqual([]);
});
