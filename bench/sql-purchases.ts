import { readFileSync } from 'node:fs';
import { Pool } from 'pg';
import type { GamerId } from '../contracts/ids.js';
import { DEFAULT_TIMERS, DEPOSITOR_STATUS_MS, FORCED_LIVE_SECONDS } from '../contracts/limits.js';
import { say, whole } from './report.js';
import { type Crowd, STAKE_CENTS } from './scenario.js';

/** The tables and the function that buys. The file's comments explain why they are fast, and their omissions. */
const SCHEMA = readFileSync(new URL('./sql-purchases.sql', import.meta.url), 'utf8');

const CALL = {
  name: 'buy',
  text: 'SELECT id, round_id, jackpot_cents, balance_cents, ends_at_ms FROM sql_way.buy($1, $2, $3)',
};

export class SqlPurchases {
  private readonly pool: Pool;

  constructor(databaseUrl: string, clients: number) {
    this.pool = new Pool({
      connectionString: databaseUrl,
      max: clients,
      application_name: 'bench sql way',
      // Forces index reads: a scan of a table with one row also reads its dead row versions, and slows down with each update.
      options: '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off',
    });
  }

  /** Creates the tables and fills them with the scenario's gamers, balances, depositors and live round. */
  async prepare({ gamers, buyers }: Crowd, nowMs: number): Promise<void> {
    await this.pool.query(SCHEMA);
    const until = nowMs + DEPOSITOR_STATUS_MS;
    const rows = gamers.map(({ gamerId, sponsorId, uplines, isDepositor }) => ({
      id: gamerId,
      sponsor_id: sponsorId,
      uplines,
      depositor_until_ms: isDepositor ? until : null,
    }));
    await this.pool.query(
      `INSERT INTO sql_way.gamers SELECT * FROM json_populate_recordset(NULL::sql_way.gamers, $1)`,
      [JSON.stringify(rows)],
    );
    await this.pool.query('INSERT INTO sql_way.winnings SELECT id, 0 FROM sql_way.gamers');
    await this.pool.query('INSERT INTO sql_way.purchase_balances SELECT unnest($1::text[]), $2', [buyers, STAKE_CENTS]);
    await this.pool.query('INSERT INTO sql_way.operator VALUES (1, 0, 0)');
    await this.pool.query('INSERT INTO sql_way.rounds VALUES (1, true, $1, $2, 0, NULL, 0)', [
      nowMs + FORCED_LIVE_SECONDS * 1000,
      DEFAULT_TIMERS.tokenExtensionSeconds * 1000,
    ]);
    await this.pool.query('ANALYZE');
  }

  async buy(buyerId: GamerId, quantity: number, nowMs: number) {
    const { rows } = await this.pool.query({ ...CALL, values: [buyerId, quantity, nowMs] });
    const [{ id, round_id, balance_cents, ends_at_ms }] = rows;
    return {
      purchaseId: id as string,
      roundId: round_id as number,
      purchaseBalanceCents: Number(balance_cents),
      endsAtEpochMs: Number(ends_at_ms),
    };
  }

  async assertBalanced(buyerCount: number): Promise<void> {
    const { rows } = await this.pool.query(`SELECT
      (SELECT sum(cents) FROM sql_way.purchase_balances) + (SELECT sum(cents) FROM sql_way.winnings) +
      (SELECT profit_cents + unclaimed_cents FROM sql_way.operator) + (SELECT jackpot_cents FROM sql_way.rounds) AS cents,
      (SELECT purchases FROM sql_way.rounds) AS expected, (SELECT count(*) FROM sql_way.purchases) AS stored`);
    const { cents, expected, stored } = rows[0];
    if (Number(cents) !== buyerCount * STAKE_CENTS || expected !== stored) {
      throw new Error(`the SQL balances do not add up: ${JSON.stringify(rows[0])}`);
    }
    say(`  every cent accounted for after ${whole(Number(stored))} purchases by SQL`);
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}

export async function withSql<T>(
  databaseUrl: string,
  connections: number,
  work: (sql: SqlPurchases) => Promise<T>,
): Promise<T> {
  const sql = new SqlPurchases(databaseUrl, connections);
  return work(sql).finally(() => sql.close());
}
