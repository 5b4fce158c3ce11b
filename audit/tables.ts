import type { ClientBase } from 'pg';
import type { GamerId, RoundId } from '../contracts/ids.js';
import type { LedgerAccount } from '../contracts/ledger-accounts.js';
import type { Cents } from '../contracts/money.js';

/** What the read models say, all as of one position of the log. */
export interface Tables {
  position: bigint;
  /** The balances as they are served. */
  balances: Map<LedgerAccount, Cents>;
  /** The journal's lines, summed up. */
  journal: Map<LedgerAccount, Cents>;
  winners: Map<RoundId, { winnerId: GamerId; jackpotCents: Cents; endedAtEpochMs: number }>;
}

/** Reads them in one snapshot: the worker moves tables and checkpoint together, so they belong to that position. */
export async function readTables(database: ClientBase): Promise<Tables> {
  await database.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const checkpoint = await database.query<{ position: string }>('SELECT position FROM read.checkpoint');
    const balances = await database.query<AccountRow>('SELECT account, cents FROM read.balances');
    const journal = await database.query<AccountRow>(
      'SELECT account, sum(cents) AS cents FROM read.journal GROUP BY 1',
    );
    const winners = await database.query<WinnerRow>(
      'SELECT round_id, winner_id, jackpot_cents, ended_at_ms FROM read.winners',
    );
    return {
      position: BigInt(checkpoint.rows[0]?.position ?? -1),
      balances: byAccount(balances.rows),
      journal: byAccount(journal.rows),
      winners: new Map(winners.rows.map((row) => [row.round_id, winnerOf(row)])),
    };
  } finally {
    await database.query('ROLLBACK');
  }
}

interface AccountRow {
  account: LedgerAccount;
  cents: string;
}

interface WinnerRow {
  round_id: number;
  winner_id: string;
  jackpot_cents: string;
  ended_at_ms: string;
}

const byAccount = (rows: AccountRow[]): Map<LedgerAccount, Cents> =>
  new Map(rows.map(({ account, cents }) => [account, Number(cents)]));

const winnerOf = (row: WinnerRow) => ({
  winnerId: row.winner_id,
  jackpotCents: Number(row.jackpot_cents),
  endedAtEpochMs: Number(row.ended_at_ms),
});
