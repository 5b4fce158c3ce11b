import type { ClientBase } from 'pg';
import type { RoundId } from '../contracts/ids.js';
import type { LedgerAccount } from '../contracts/ledger-accounts.js';
import type { Cents } from '../contracts/money.js';
import type { Auditor } from './auditor.js';
import { cents } from './finding.js';
import type { AdjustedDay, PublicRecordTables } from './public-record.js';
import type { EndedRound } from './rounds.js';

/** Contents of the read models, all as of one log position. */
export interface Tables {
  position: bigint;
  /** The event at this position; null in tables of an older version. */
  eventId: string | null;
  /** Balances as served to gamers. */
  balances: Map<LedgerAccount, Cents>;
  /** Sums of the journal's lines. */
  journal: Map<LedgerAccount, Cents>;
  winners: Map<RoundId, EndedRound>;
  /** Null while the worker builds these tables for the first time. */
  publicRecord: PublicRecordTables | null;
}

/** Reads all tables in one transaction: the worker commits tables and checkpoint together, so the rows are as of it. */
export async function readTables(database: ClientBase): Promise<Tables> {
  await database.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const checkpoint = await database.query<{ position: string; event_id: string | null }>(
      'SELECT position, event_id FROM read.checkpoint',
    );
    const balances = await database.query<AccountRow>('SELECT account, cents FROM read.balances');
    const journal = await database.query<AccountRow>(
      'SELECT account, sum(cents) AS cents FROM read.journal GROUP BY 1',
    );
    const winners = await database.query<EndedRound>(
      `SELECT round_id AS "roundId", winner_id AS "winnerId", jackpot_cents::float8 AS "jackpotCents",
              ended_at_ms::float8 AS "endedAtEpochMs" FROM read.winners`,
    );
    return {
      position: BigInt(checkpoint.rows[0]?.position ?? -1),
      eventId: checkpoint.rows[0]?.event_id ?? null,
      balances: byAccount(balances.rows),
      journal: byAccount(journal.rows),
      winners: new Map(winners.rows.map((row) => [row.roundId, row])),
      publicRecord: await readPublicRecord(database),
    };
  } finally {
    await database.query('ROLLBACK');
  }
}

async function readPublicRecord(database: ClientBase): Promise<PublicRecordTables | null> {
  const { rows } = await database.query<{ exist: boolean }>(
    "SELECT to_regclass('read.public_record') IS NOT NULL AS exist",
  );
  if (!rows[0]?.exist) return null;
  const entries = await database.query<{ revision: number; atMs: number; event: object }>(
    'SELECT revision::float8, at_ms::float8 AS "atMs", event FROM read.public_record',
  );
  const days = await database.query<AdjustedDay & { day: string }>(
    `SELECT day::text, adjustments::float8, added_cents::float8 AS "addedCents", taken_cents::float8 AS "takenCents"
     FROM read.daily_adjustments`,
  );
  return {
    entries: new Map(entries.rows.map(({ revision, ...entry }) => [revision, entry])),
    days: new Map(days.rows.map(({ day, ...sums }) => [day, sums])),
  };
}

interface AccountRow {
  account: LedgerAccount;
  cents: string;
}

const byAccount = (rows: AccountRow[]): Map<LedgerAccount, Cents> =>
  new Map(rows.map(({ account, cents }) => [account, Number(cents)]));

/** Differences between the tables and the log, replayed to the same position. */
export function differencesFrom(auditor: Auditor, tables: Tables): string[] {
  const held = new Map(auditor.accounts.held());
  return [
    ...accountDifferences('balances', tables.balances, held),
    ...accountDifferences('journal', tables.journal, held),
    ...winnerDifferences(auditor, tables),
    ...(tables.publicRecord === null
      ? ['public record: not compared, because its tables are not built yet, or are gone']
      : auditor.publicRecord.differencesFrom(tables.publicRecord)),
  ];
}

/** An empty account may have a row or not. */
function accountDifferences(
  table: string,
  rows: ReadonlyMap<LedgerAccount, Cents>,
  held: ReadonlyMap<LedgerAccount, Cents>,
): string[] {
  const accounts = [...new Set([...rows.keys(), ...held.keys()])].sort();
  return accounts.flatMap((account) => {
    const [inTable, inLog] = [rows.get(account) ?? 0, held.get(account) ?? 0];
    return inTable === inLog ? [] : [`${table}: ${account} is ${cents(inTable)}, but ${cents(inLog)} in the log`];
  });
}

function winnerDifferences({ rounds }: Auditor, { winners }: Tables): string[] {
  const won = rounds.ended.filter(({ winnerId }) => winnerId !== null);
  const known = new Set(won.map(({ roundId }) => roundId));
  const unknown = [...winners.keys()].filter((roundId) => !known.has(roundId));
  const different = won.flatMap(({ roundId, winnerId, jackpotCents, endedAtEpochMs }) => {
    const row = winners.get(roundId);
    const same =
      row?.winnerId === winnerId && row?.jackpotCents === jackpotCents && row?.endedAtEpochMs === endedAtEpochMs;
    if (same) return [];
    const inTable = row ? `${row.winnerId} with ${cents(row.jackpotCents)}` : 'nobody';
    return [
      `winners: round ${roundId} was won by ${inTable}, but in the log by ${winnerId} with ${cents(jackpotCents)}`,
    ];
  });
  return [...different, ...unknown.map((roundId) => `winners: round ${roundId} has no winner in the log`)];
}
