CREATE TABLE auth.accounts (
  gamer_id text PRIMARY KEY,
  gamer_tag text NOT NULL,
  email text NOT NULL,
  password_hash text,
  role text NOT NULL CHECK (role IN ('gamer', 'admin', 'auditor')),
  ref_code text NOT NULL CONSTRAINT accounts_ref_code UNIQUE,
  sponsor_id text,
  enrolled boolean NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX accounts_gamer_tag ON auth.accounts (lower(gamer_tag));
CREATE UNIQUE INDEX accounts_email ON auth.accounts (lower(email));
CREATE INDEX accounts_not_enrolled ON auth.accounts (created_at) WHERE NOT enrolled;
CREATE TABLE auth.sessions (sid text PRIMARY KEY, sess json NOT NULL, expire timestamptz NOT NULL);
CREATE INDEX sessions_expire ON auth.sessions (expire);
CREATE INDEX sessions_gamer ON auth.sessions ((sess->>'gamerId'));
-- The columns that rate-limiter-flexible requires.
CREATE TABLE auth.attempts (key text PRIMARY KEY, points integer NOT NULL, expire bigint);
CREATE INDEX attempts_expire ON auth.attempts (expire);
CREATE TABLE auth.known_addresses (
  gamer_id text NOT NULL REFERENCES auth.accounts ON DELETE CASCADE,
  address text NOT NULL,
  last_seen_at timestamptz NOT NULL,
  PRIMARY KEY (gamer_id, address)
);
