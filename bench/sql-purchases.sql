/*
 * The usual way to buy a token, optimized: one SQL transaction for each purchase, in one round trip, as a prepared call of
 * one function. Rows are locked in one order (buyer, uplines deepest first, operator, round), so there are no deadlocks; rows
 * that all purchases update come last, so that they are locked only during the commit. Updated columns are in no index and
 * pages have free space, so updates stay within their page. It stores less than the event log: no allocations, no hash
 * chain, no idempotency keys.
 */
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
);

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
END $$;
