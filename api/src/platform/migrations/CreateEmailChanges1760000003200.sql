-- The email that a gamer wants, until its mailbox confirms it: the newest one of each gamer. A digest of the mailed token.
CREATE TABLE auth.email_changes (
  gamer_id text PRIMARY KEY REFERENCES auth.accounts ON DELETE CASCADE,
  token_hash bytea NOT NULL CONSTRAINT email_changes_token UNIQUE,
  email text NOT NULL,
  expires_at timestamptz NOT NULL
);
