-- Sessions that began before this migration count from it on.
ALTER TABLE auth.sessions ADD COLUMN begun_at timestamptz NOT NULL DEFAULT now();
-- When a session's last reality check was answered. Not a column of the session: nodes forget a session that changes.
CREATE TABLE auth.reality_checks (
  sid text PRIMARY KEY REFERENCES auth.sessions ON DELETE CASCADE ON UPDATE CASCADE,
  answered_at timestamptz NOT NULL
);
-- The time between reality checks that a gamer chose; without a row it is the operator's.
CREATE TABLE auth.reality_check_choices (
  gamer_id text PRIMARY KEY REFERENCES auth.accounts ON DELETE CASCADE,
  every_minutes int NOT NULL CHECK (every_minutes > 0)
);
