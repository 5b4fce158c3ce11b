CREATE TABLE ledger.snapshots (
  id uuid PRIMARY KEY,
  fold text NOT NULL,
  revision bigint NOT NULL,
  chain text NOT NULL,
  digests bytea NOT NULL,
  mac bytea NOT NULL,
  taken_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE ledger.snapshot_chunks (
  snapshot_id uuid NOT NULL REFERENCES ledger.snapshots ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  number int NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (snapshot_id, number)
);
-- The bytes are compressed already.
ALTER TABLE ledger.snapshot_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;
-- Nodes of the version before, which may still run, replay the log.
TRUNCATE ledger.ledger_snapshots;
