CREATE TABLE auth.password_resets (
  token_hash bytea PRIMARY KEY,
  gamer_id text NOT NULL REFERENCES auth.accounts ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
CREATE INDEX password_resets_gamer ON auth.password_resets (gamer_id);
CREATE INDEX password_resets_expiry ON auth.password_resets (expires_at);
