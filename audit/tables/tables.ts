import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import type { RoundId } from '../../contracts/ids.js';
import type { LedgerAccount } from '../../contracts/ledger-accounts.js';
import type { Cents } from '../../contracts/money.js';
import type { Auditor } from '../replay/auditor.js';
import { formatCents } from '../replay/finding.js';
import type { EndedRound } from '../rules/rounds.js';
import { differentKeys } from './different-keys.js';
import { readTileDigests } from './log-tiles.js';
import type { AdjustedDay, PublicRecordTables } from './public-record.js';

/** A compared view: its tables, how they are read, and how they differ from the log, replayed to the view's position. */
const view = <Stored>(
  tables: string[],
  read: (database: ClientBase) => Promise<Stored>,
  differences: (auditor: Auditor, stored: Stored) => string[],
) => ({ tables, read, differences });

/** Tables by the names that the worker gives them. */
const VIEWS = {
  balances: accountView('balances'),
  journal: accountView('journal'),
  winners: view(['winners'], readWinners, winnerDifferences),
  'public-record': view(['public_record', 'daily_adjustments'], readPublicRecord, ({ publicRecord }, stored) =>
    publicRecord.differencesFrom(stored),
  ),
  'log-tiles': view(['log_tiles'], readTileDigests, ({ tiles }, stored) => tiles.differencesFrom(stored)),
};
export type ComparedView = keyof typeof VIEWS;
const VIEW_NAMES = Object.keys(VIEWS) as ComparedView[];

/** The read models at one time. */
export interface Tables {
  /** The last event in the tables; -1 before the first, and without tables. */
  position: bigint;
  /** The event at this position; null before the first. */
  eventId: string | null;
  /** Chain of the last ledger event in the tables; null before the first. */
  ledgerChain: string | null;
  /** The position of each view, which stands still while a new version is built. */
  built: ReadonlyMap<ComparedView, bigint>;
  /** Views that the worker has not built so far. */
  notBuilt: ComparedView[];
  /** Views that were built, and whose tables are missing. */
  gone: readonly ComparedView[];
  /** The rows of each built view, read while the log is replayed. */
  contents: Promise<ReadonlyMap<ComparedView, unknown>>;
}

const GONE_AFTER_ATTEMPTS = 3;
/** A swap of rebuilt tables takes seconds. */
const ATTEMPTS = 600;
const RETRY_MS = 100;

/**
 * Reads all tables in one transaction: the worker commits rows and positions together. It locks them first, because a
 * table that is swapped in later looks empty to this transaction; and without waiting, because a swap that has some of
 * the locks would wait for the others. The connection is busy until it has read `contents`.
 */
export async function readTables(database: ClientBase): Promise<Tables> {
  for (let attempt = 1; ; attempt += 1) {
    const present = await presentTables(database);
    if (!present.has('checkpoint') || !present.has('views')) return NOT_BUILT;
    await database.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    try {
      const names = [...present].map((table) => `read.${table}`).join();
      await database.query(`LOCK TABLE ${names} IN ACCESS SHARE MODE NOWAIT`);
      const positions = await readPositions(database, present);
      // The worker may have made or replaced tables between the list and the locks.
      if (positions.gone.length === 0 || attempt >= GONE_AFTER_ATTEMPTS) {
        const contents = readContents(database, positions.built).finally(() => database.query('ROLLBACK'));
        // The comparison throws its error; without this handler Node would report it before.
        contents.catch(() => {});
        return { ...positions, contents };
      }
    } catch (error) {
      if (!CHANGING.has((error as { code?: string }).code ?? '') || attempt === ATTEMPTS) {
        await database.query('ROLLBACK');
        throw error;
      }
    }
    await database.query('ROLLBACK');
    await sleep(RETRY_MS);
  }
}

/** Codes of Postgres: a table is not there any more, or is locked. */
const CHANGING: ReadonlySet<string> = new Set(['42P01', '55P03']);

const NOT_BUILT: Tables = {
  position: -1n,
  eventId: null,
  ledgerChain: null,
  built: new Map(),
  notBuilt: VIEW_NAMES,
  gone: [],
  contents: Promise.resolve(new Map()),
};

async function presentTables(database: ClientBase): Promise<Set<string>> {
  const { rows } = await database.query<{ name: string }>(
    "SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass('read.' || name) IS NOT NULL",
    [['checkpoint', 'views', ...Object.values(VIEWS).flatMap(({ tables }) => tables)]],
  );
  return new Set(rows.map(({ name }) => name));
}

async function readPositions(database: ClientBase, present: ReadonlySet<string>): Promise<Omit<Tables, 'contents'>> {
  const { rows } = await database.query<{ position: string; id: string | null; chain: string | null }>(
    'SELECT position, event_id AS id, ledger_chain AS chain FROM read.checkpoint',
  );
  const views = await database.query<{ name: ComparedView; position: string }>(
    'SELECT name, position FROM read.views WHERE name = ANY ($1)',
    [VIEW_NAMES],
  );
  const isPresent = (view: ComparedView): boolean => VIEWS[view].tables.every((table) => present.has(table));
  const readable = views.rows.filter(({ name }) => isPresent(name));
  const built = new Map(readable.map(({ name, position }) => [name, BigInt(position)]));
  return {
    position: BigInt(rows[0]?.position ?? -1),
    eventId: rows[0]?.id ?? null,
    ledgerChain: rows[0]?.chain ?? null,
    built,
    notBuilt: VIEW_NAMES.filter((name) => views.rows.every((row) => row.name !== name)),
    gone: views.rows.flatMap(({ name }) => (isPresent(name) ? [] : [name])),
  };
}

async function readContents(database: ClientBase, built: Tables['built']): Tables['contents'] {
  const contents = new Map<ComparedView, unknown>();
  for (const name of built.keys()) contents.set(name, await VIEWS[name].read(database));
  return contents;
}

/** Balances as served to gamers, or sums of the journal's lines. An empty account may have a row or not. */
function accountView(table: 'balances' | 'journal') {
  const read = async (database: ClientBase): Promise<ReadonlyMap<LedgerAccount, Cents>> => {
    const { rows } = await database.query<{ account: LedgerAccount; cents: string }>(
      `SELECT account, sum(cents) AS cents FROM read.${table} GROUP BY 1`,
    );
    return new Map(rows.map(({ account, cents }) => [account, Number(cents)]));
  };
  return view([table], read, ({ accounts }, stored) => {
    const held = new Map([...stored].filter(([, balance]) => balance !== 0));
    return differentKeys(new Map(accounts.nonZero()), held)
      .sort()
      .map((account) => {
        const [stated, expected] = [held.get(account) ?? 0, accounts.of(account)];
        return `${table}: ${account} is ${formatCents(stated)}, but ${formatCents(expected)} in the log`;
      });
  });
}

async function readWinners(database: ClientBase): Promise<ReadonlyMap<RoundId, EndedRound>> {
  const { rows } = await database.query<EndedRound>(
    `SELECT round_id AS "roundId", winner_id AS "winnerId", jackpot_cents::float8 AS "jackpotCents",
            ended_at_ms::float8 AS "endedAtMs" FROM read.winners`,
  );
  return new Map(rows.map((row) => [row.roundId, row]));
}

async function readPublicRecord(database: ClientBase): Promise<PublicRecordTables> {
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

/** Compares each view with the replay at the view's own position. */
export class TableCheck {
  /** The views that are not compared yet, by position. `head` stands for the last event in the tables. */
  private readonly waiting: [name: ComparedView | 'head', position: bigint][];
  /** Ledger events that all compared views contain; null before the first comparison. */
  comparedEvents: number | null = null;

  constructor(
    private readonly auditor: Auditor,
    private readonly tables: Tables,
  ) {
    this.waiting = [['head', tables.position], ...tables.built];
    this.waiting.sort(([, one], [, other]) => Number(one - other));
  }

  /** True when a comparison is due before the auditor takes the event at this position; null at the end. */
  isDueBefore(position: bigint | null): boolean {
    const [next] = this.waiting;
    return next !== undefined && (position === null || next[1] < position);
  }

  /** Returns the differences of the views that do not contain the next ledger event, which is at this position; null at the end. */
  async compareBefore(position: bigint | null): Promise<string[]> {
    const differences: string[] = [];
    while (this.isDueBefore(position)) {
      const [name] = this.waiting.shift() as (typeof this.waiting)[0];
      differences.push(...(name === 'head' ? this.headFaults() : await this.differencesOf(name)));
    }
    return differences;
  }

  private async differencesOf(view: ComparedView): Promise<string[]> {
    this.comparedEvents ??= this.auditor.revision + 1;
    const contents = await this.tables.contents;
    return VIEWS[view].differences(this.auditor, contents.get(view) as never);
  }

  /** The last ledger event in the tables must have the chain that the worker saw: an event's id can be forged. */
  private headFaults(): string[] {
    const { ledgerChain } = this.tables;
    if (ledgerChain === null || ledgerChain === this.auditor.chain) return [];
    return [`built from another history: event ${this.auditor.revision + 1} had another chain`];
  }
}

function winnerDifferences({ rounds }: Auditor, winners: ReadonlyMap<RoundId, EndedRound>): string[] {
  const won = new Map(rounds.ended.filter(({ winnerId }) => winnerId !== null).map((one) => [one.roundId, one]));
  const winnerIn = (row?: EndedRound) => (row ? `${row.winnerId} with ${formatCents(row.jackpotCents)}` : 'nobody');
  return differentKeys(won, winners).map((roundId) => {
    const expected = won.get(roundId);
    if (expected === undefined) return `winners: round ${roundId} has no winner in the log`;
    const inTable = winnerIn(winners.get(roundId));
    return `winners: round ${roundId} was won by ${inTable}, but in the log by ${winnerIn(expected)}`;
  });
}
