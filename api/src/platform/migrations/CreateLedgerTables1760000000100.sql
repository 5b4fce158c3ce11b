CREATE SCHEMA IF NOT EXISTS ledger;
CREATE TABLE ledger.ledger_snapshots (
  format int NOT NULL,
  revision bigint NOT NULL,
  chain text NOT NULL,
  position text NOT NULL,
  packed bytea NOT NULL,
  taken_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (format, revision)
);
CREATE TABLE ledger.liveness (
  node_id text PRIMARY KEY,
  alive_since bigint NOT NULL,
  last_alive_at bigint NOT NULL
);
