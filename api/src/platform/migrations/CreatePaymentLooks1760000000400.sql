CREATE TABLE ledger.payment_looks (
  order_id text PRIMARY KEY,
  looked_at_ms bigint NOT NULL,
  next_at_ms bigint NOT NULL
);
