import { Pool } from 'pg';
import type { GamerId } from '../contracts/ids.js';
import { DEFAULT_TIMERS, DEPOSITOR_STATUS_MS, FORCED_LIVE_SECONDS } from '../contracts/limits.js';
import { say, whole } from './report.js';
import { type Scenario, STAKE_CENTS } from './scenario.js';

/*
 * The usual way to buy a token, optimized: one SQL transaction for each purchase, in one round trip, as a prepared call of
 * one function. Rows are locked in one order (buyer, uplines deepest first, operator, round), so there are no deadlocks; rows
 * that all purchases update come last, so that they are locked only during the commit. Updated columns are in no index and
 * pages have free space, so updates stay within their page. It stores less than the event log: no allocations, no hash
 * chain, no idempotency keys.
 */
const TABLES = `
  CREATE SCHEMA sql_way;
  SET search_path = sql_way;
  CREATE TABLE gamers (id text PRIMARY KEY, sponsor_id text, uplines text[] NOT NULL, depositor_until_ms bigint);
  CREATE TABLE purchase_balances (gamer_id text PRIMARY KEY, cents bigint NOT NULL) WITH (fillfactor = 50);
  CREATE TABLE winnings (gamer_id text PRIMARY KEY, cents bigint NOT NULL) WITH (fillfactor = 50);
  CREATE TABLE operator (id int PRIMARY KEY, profit_cents bigint NOT NULL, unclaimed_cents bigint NOT NULL)
    WITH (fillfactor = 10);
  CREATE TABLE rounds (
    id int PRIMARY KEY, is_live boolean NOT NULL, ends_at_ms bigint NOT NULL, extension_ms bigint NOT NULL,
    jackpot_cents bigint NOT NULL, last_buyer_id text, purchases bigint NOT NULL
  ) WITH (fillfactor = 10);
  CREATE TABLE purchases (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, round_id int NOT NULL, buyer_id text NOT NULL, quantity int NOT NULL,
    cost_cents bigint NOT NULL, unclaimed_cents bigint NOT NULL, jackpot_cents bigint NOT NULL,
    balance_cents bigint NOT NULL, at_ms bigint NOT NULL, ends_at_ms bigint NOT NULL
  );`;

const BUY = `
  CREATE FUNCTION sql_way.buy(buyer text, tokens int, now_ms bigint) RETURNS sql_way.purchases LANGUAGE plpgsql AS $$
  DECLARE
    bought sql_way.purchases;
    paid bigint;
  BEGIN
    UPDATE sql_way.purchase_balances SET cents = cents - tokens * 30 WHERE gamer_id = buyer AND cents >= tokens * 30
      RETURNING cents INTO bought.balance_cents;
    IF NOT FOUND THEN RAISE EXCEPTION 'insufficient-balance'; END IF;

    WITH due AS MATERIALIZED (
      SELECT w.gamer_id, tokens * CASE WHEN w.gamer_id = g.sponsor_id THEN 3 ELSE 2 END AS cents
      FROM sql_way.gamers g
        CROSS JOIN LATERAL unnest(g.uplines) WITH ORDINALITY AS upline(id, level)
        JOIN sql_way.gamers above ON above.id = upline.id AND above.depositor_until_ms >= now_ms
        JOIN sql_way.winnings w ON w.gamer_id = above.id
      WHERE g.id = buyer
      ORDER BY upline.level
      FOR UPDATE OF w
    ), credited AS (
      UPDATE sql_way.winnings w SET cents = w.cents + due.cents FROM due WHERE w.gamer_id = due.gamer_id
      RETURNING due.cents
    )
    SELECT coalesce(sum(cents), 0) INTO paid FROM credited;
    bought.unclaimed_cents := tokens * 15 - paid;

    UPDATE sql_way.operator
      SET profit_cents = profit_cents + tokens * 2, unclaimed_cents = unclaimed_cents + bought.unclaimed_cents
      WHERE id = 1;
    UPDATE sql_way.rounds
      SET jackpot_cents = jackpot_cents + tokens * 13, ends_at_ms = ends_at_ms + tokens * extension_ms,
        last_buyer_id = buyer, purchases = purchases + 1
      WHERE id = 1 AND is_live AND ends_at_ms > now_ms
      RETURNING id, jackpot_cents, ends_at_ms INTO bought.round_id, bought.jackpot_cents, bought.ends_at_ms;
    IF NOT FOUND THEN RAISE EXCEPTION 'game-downtime'; END IF;
    INSERT INTO sql_way.purchases
        (round_id, buyer_id, quantity, cost_cents, unclaimed_cents, jackpot_cents, balance_cents, at_ms, ends_at_ms)
      VALUES (bought.round_id, buyer, tokens, tokens * 30, bought.unclaimed_cents, bought.jackpot_cents,
        bought.balance_cents, now_ms, bought.ends_at_ms)
      RETURNING * INTO bought;
    RETURN bought;
  END $$`;

const CALL = {
  name: 'buy',
  text: 'SELECT id, round_id, jackpot_cents, balance_cents, ends_at_ms FROM sql_way.buy($1, $2, $3)',
};

/** Purchases by SQL over a pool of connections; a purchase waits until one is free. */
export class SqlPurchases {
  private readonly pool: Pool;

  constructor(databaseUrl: string, clients: number) {
    this.pool = new Pool({
      connectionString: databaseUrl,
      max: clients,
      application_name: 'bench sql way',
      // Every query finds its row by key; also tables of one row must be read by index, or they slow down with row versions.
      options: '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off',
    });
  }

  /** Creates the tables and fills them with the scenario's gamers, balances, depositors and live round. */
  async prepare({ gamers, buyers }: Scenario, nowMs: number): Promise<void> {
    await this.pool.query(TABLES);
    await this.pool.query(BUY);
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

  /** Prints the number of purchases. Throws unless the balances add up to the cent. */
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

/** Runs `work` with a pool of connections, and closes them. */
export async function withSql<T>(
  databaseUrl: string,
  connections: number,
  work: (sql: SqlPurchases) => Promise<T>,
): Promise<T> {
  const sql = new SqlPurchases(databaseUrl, connections);
  return work(sql).finally(() => sql.close());
}
