-- The head of the newest verification without findings, sealed under a key that Postgres does not hold. One row at most.
CREATE TABLE ledger.verified_head (
  id smallint PRIMARY KEY CHECK (id = 1),
  events bigint NOT NULL,
  chain text NOT NULL,
  seal bytea NOT NULL
);
