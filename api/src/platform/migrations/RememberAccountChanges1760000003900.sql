-- A change of an account that began and is not known to have ended: its events may be in the log, while the row is as before.
CREATE TABLE auth.account_changes (
  id uuid PRIMARY KEY,
  gamer_id text NOT NULL,
  begun_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
