-- No reference to accounts: the row outlives the account, until the erasure is complete.
CREATE TABLE auth.removals (
  gamer_id text PRIMARY KEY,
  actor_id text NOT NULL,
  command_id text NOT NULL,
  begun_at timestamptz NOT NULL
);
