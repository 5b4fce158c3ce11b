import pRetry from 'p-retry';
import type { ClientBase } from 'pg';
import type { LedgerAccount } from '../../contracts/ledger-accounts.js';
import type { Cents } from '../../contracts/money.js';
import { inTransaction, isSwappedTable } from '../../event-log/postgres.js';
import type { Auditor } from '../replay/auditor.js';
import { differentKeys, formatCents } from '../replay/finding.js';
import type { EndedRound } from '../rules/rounds.js';
import type { AdjustedDay } from './public-record.js';

/** How rows differ from the log, replayed to the tables' position. */
type Differences = (auditor: Auditor) => string[];

interface ComparedView {
  tables: string[];
  read(database: ClientBase): Promise<Differences>;
}

/** The compared views by the names that the worker gives them. */
const VIEWS: Readonly<Record<string, ComparedView>> = {
  balances: accountView('balances'),
  journal: accountView('journal'),
  winners: { tables: ['winners'], read: readWinners },
  'public-record': { tables: ['public_record', 'daily_adjustments'], read: readPublicRecord },
  'log-tiles': { tables: ['log_tiles'], read: readLogTiles },
};
const VIEW_NAMES = Object.keys(VIEWS);

export interface Tables {
  readAtMs: number;
  /** The last event in the tables; -1 before the first, and without tables. */
  position: bigint;
  /** Views that the worker has not built, or is building anew. */
  notCompared: string[];
  /** None while no view is built. */
  comparisons: Differences[];
}

/** A swap of rebuilt tables takes seconds. */
const RETRIES = 600;
const RETRY_MS = 100;

export const readTables = (database: ClientBase): Promise<Tables> =>
  pRetry(() => readAtOnce(database), {
    retries: RETRIES,
    factor: 1,
    minTimeout: RETRY_MS,
    shouldRetry: ({ error }) => isSwappedTable(error),
  });

/**
 * Reads all tables in one transaction. Locks them first, because a table that is swapped in later looks empty to it; and without
 * waiting, because a swap that has some of the locks would wait for the others.
 */
async function readAtOnce(database: ClientBase): Promise<Tables> {
  const readAtMs = Date.now();
  const locked = await presentTables(database);
  if (!locked.has('checkpoint') || !locked.has('views'))
    return { readAtMs, position: -1n, notCompared: VIEW_NAMES, comparisons: [] };
  const read = async () => {
    const names = [...locked].map((table) => `read.${table}`).join();
    await database.query(`LOCK TABLE ${names} IN ACCESS SHARE MODE NOWAIT`);
    return { readAtMs, ...(await readLocked(database, locked)) };
  };
  return inTransaction(database, read, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
}

async function readLocked(database: ClientBase, locked: ReadonlySet<string>): Promise<Omit<Tables, 'readAtMs'>> {
  const { rows: checkpoints } = await database.query<{ position: string; chain: string | null }>(
    'SELECT position, ledger_chain AS chain FROM read.checkpoint',
  );
  const { position = -1, chain = null } = checkpoints[0] ?? {};
  const ofCheckpoint = 'SELECT name FROM read.views WHERE position = $1';
  const { rows } = await database.query<{ name: string }>(ofCheckpoint, [position]);
  const current = new Set(rows.map(({ name }) => name));
  const compared = VIEW_NAMES.filter((name) => current.has(name) && hasTables(name, locked));
  // The worker may have made tables since they were listed.
  const present = await presentTables(database);
  const gone = VIEW_NAMES.filter((name) => current.has(name) && !hasTables(name, present));
  const comparisons: Differences[] = gone.map((name) => () => [`${name}: tables are gone`]);
  for (const name of compared) comparisons.push(await (VIEWS[name] as ComparedView).read(database));
  if (comparisons.length > 0) comparisons.push((auditor) => headFaults(auditor, chain));
  return {
    position: BigInt(position),
    notCompared: VIEW_NAMES.filter((name) => !compared.includes(name)),
    comparisons,
  };
}

const hasTables = (view: string, present: ReadonlySet<string>): boolean =>
  VIEWS[view]?.tables.every((table) => present.has(table)) ?? false;

async function presentTables(database: ClientBase): Promise<Set<string>> {
  const { rows } = await database.query<{ name: string }>(
    "SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass('read.' || name) IS NOT NULL",
    [['checkpoint', 'views', ...Object.values(VIEWS).flatMap(({ tables }) => tables)]],
  );
  return new Set(rows.map(({ name }) => name));
}

/** The last ledger event in the tables must have the chain that the worker saw: an event's id can be forged. */
const headFaults = ({ chain, revision }: Auditor, stored: string | null): string[] =>
  stored === null || stored === chain ? [] : [`built from another history: event ${revision + 1} had another chain`];

/** Balances as served to gamers, or sums of the journal's lines. An empty account may have a row or not. */
function accountView(table: 'balances' | 'journal'): ComparedView {
  const read = async (database: ClientBase): Promise<Differences> => {
    const { rows } = await database.query<{ account: LedgerAccount; cents: string }>(
      `SELECT account, sum(cents) AS cents FROM read.${table} GROUP BY 1 HAVING sum(cents) <> 0`,
    );
    const stored = new Map(rows.map(({ account, cents }): [LedgerAccount, Cents] => [account, Number(cents)]));
    return ({ ledgerAccounts }) =>
      differentKeys(new Map(ledgerAccounts.nonZero()), stored)
        .sort()
        .map((account) => {
          const stated = stored.get(account) ?? 0;
          const expected = ledgerAccounts.of(account);
          return `${table}: ${account} is ${formatCents(stated)}, but ${formatCents(expected)} in the log`;
        });
  };
  return { tables: [table], read };
}

async function readWinners(database: ClientBase): Promise<Differences> {
  const { rows } = await database.query<EndedRound>(
    `SELECT round_id AS "roundId", winner_id AS "winnerId", jackpot_cents::float8 AS "jackpotCents",
            ended_at_ms::float8 AS "endedAtMs" FROM read.winners`,
  );
  const winners = new Map(rows.map((row) => [row.roundId, row]));
  const winnerIn = (row?: EndedRound) => (row ? `${row.winnerId} with ${formatCents(row.jackpotCents)}` : 'nobody');
  return ({ rounds }) => {
    const won = new Map(rounds.won.map((one) => [one.roundId, one]));
    return differentKeys(won, winners).map((roundId) => {
      const expected = won.get(roundId);
      if (expected === undefined) return `winners: round ${roundId} has no winner in the log`;
      const inTable = winnerIn(winners.get(roundId));
      return `winners: round ${roundId} was won by ${inTable}, but in the log by ${winnerIn(expected)}`;
    });
  };
}

async function readPublicRecord(database: ClientBase): Promise<Differences> {
  const { rows: entries } = await database.query<{ revision: number; atMs: number; event: object }>(
    'SELECT revision::float8, at_ms::float8 AS "atMs", event FROM read.public_record',
  );
  const { rows: days } = await database.query<AdjustedDay & { day: string }>(
    `SELECT day::text, adjustments::float8, added_cents::float8 AS "addedCents", taken_cents::float8 AS "takenCents"
     FROM read.daily_adjustments`,
  );
  const stored = {
    entries: new Map(entries.map(({ revision, ...entry }) => [revision, entry])),
    days: new Map(days.map(({ day, ...sums }) => [day, sums])),
  };
  return ({ publicRecord }) => publicRecord.differencesFrom(stored);
}

async function readLogTiles(database: ClientBase): Promise<Differences> {
  const { rows } = await database.query<{ tile: string; digest: string }>(
    "SELECT level || '/' || index AS tile, encode(sha256(hashes), 'hex') AS digest FROM read.log_tiles",
  );
  const stored = new Map(rows.map(({ tile, digest }) => [tile, digest]));
  return ({ tree }) =>
    differentKeys(tree.tiles(), stored).map(
      (tile) => `log-tiles: tile ${tile} ${stored.has(tile) ? 'is not that of the log' : 'is missing'}`,
    );
}
