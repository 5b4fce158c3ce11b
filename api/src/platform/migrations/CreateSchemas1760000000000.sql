CREATE TABLE auth.accounts (
  gamer_id text PRIMARY KEY,
  gamer_tag text NOT NULL,
  email text NOT NULL,
  -- The canonical form of the email.
  email_key text NOT NULL CONSTRAINT accounts_email UNIQUE,
  -- The mailbox whose reader followed a mailed link.
  confirmed_mailbox text,
  password_hash text,
  role text NOT NULL CHECK (role IN ('gamer', 'admin', 'auditor', 'operator')),
  ref_code text NOT NULL CONSTRAINT accounts_ref_code UNIQUE,
  sponsor_id text,
  enrolled boolean NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX accounts_gamer_tag ON auth.accounts (lower(gamer_tag));
CREATE INDEX accounts_mailbox ON auth.accounts (confirmed_mailbox);
CREATE INDEX accounts_not_enrolled ON auth.accounts (created_at) WHERE NOT enrolled;
-- The few accounts that are not plain gamers: read at each start and every minute.
CREATE INDEX accounts_staff ON auth.accounts (role) WHERE role <> 'gamer';

CREATE TABLE auth.sessions (
  sid text PRIMARY KEY,
  sess json NOT NULL,
  expire timestamptz NOT NULL,
  begun_at timestamptz NOT NULL DEFAULT now(),
  -- The sessions of staff end after an idle time, and at this time at the latest; null for gamers.
  ends_at timestamptz,
  -- The last login or step-up.
  proved_at timestamptz,
  has_second_factor boolean NOT NULL DEFAULT false
);
CREATE INDEX sessions_expire ON auth.sessions (expire);
CREATE INDEX sessions_gamer ON auth.sessions ((sess->>'gamerId'));

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

-- Secrets are encrypted under a key that Postgres does not hold.
CREATE TABLE auth.second_factors (
  gamer_id text PRIMARY KEY REFERENCES auth.accounts ON DELETE CASCADE,
  -- Null until the first enrolment is confirmed.
  secret bytea,
  -- Of an enrolment that is not confirmed yet.
  pending_secret bytea,
  -- The time step of the newest code used: no code counts twice.
  last_step bigint NOT NULL DEFAULT 0
);
CREATE TABLE auth.recovery_codes (
  gamer_id text NOT NULL REFERENCES auth.second_factors ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  PRIMARY KEY (gamer_id, code_hash)
);

-- Every node keeps sessions and accounts in memory, and drops a row when its change is notified here. The payload is the
-- row's key, and '' when the table was emptied.
CREATE FUNCTION auth.notify_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('auth_' || TG_TABLE_NAME, coalesce(to_jsonb(OLD) ->> TG_ARGV[0], ''));
  RETURN NULL;
END
$$;
-- Sessions that expired are deleted in bulk, and no node uses them any more.
CREATE TRIGGER notify_change AFTER UPDATE OR DELETE ON auth.sessions
  FOR EACH ROW WHEN (OLD.expire > now()) EXECUTE FUNCTION auth.notify_change('sid');
CREATE TRIGGER notify_change AFTER UPDATE OF gamer_id, gamer_tag, role OR DELETE ON auth.accounts
  FOR EACH ROW EXECUTE FUNCTION auth.notify_change('gamer_id');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON auth.sessions EXECUTE FUNCTION auth.notify_change('sid');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON auth.accounts EXECUTE FUNCTION auth.notify_change('gamer_id');
-- Nodes keep in memory which accounts have a second factor.
CREATE FUNCTION auth.notify_second_factor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('auth_accounts', coalesce(NEW.gamer_id, OLD.gamer_id));
  RETURN NULL;
END
$$;
CREATE TRIGGER notify_change AFTER INSERT OR DELETE OR UPDATE OF secret ON auth.second_factors
  FOR EACH ROW EXECUTE FUNCTION auth.notify_second_factor();

-- Logins, step-ups and account changes, for 90 days. They go with their gamer's account.
CREATE TABLE auth.security_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  type text NOT NULL,
  -- Null for a GamerTag that nobody has.
  gamer_id text REFERENCES auth.accounts ON DELETE CASCADE,
  -- Who did it to another's account.
  actor_id text REFERENCES auth.accounts ON DELETE SET NULL,
  address text NOT NULL,
  detail text
);
CREATE INDEX security_events_at ON auth.security_events (at);
CREATE INDEX security_events_gamer ON auth.security_events (gamer_id);
CREATE INDEX security_events_actor ON auth.security_events (actor_id) WHERE actor_id IS NOT NULL;
-- The columns that rate-limiter-flexible requires.
CREATE TABLE auth.attempts (key text PRIMARY KEY, points integer NOT NULL, expire bigint);
CREATE INDEX attempts_expire ON auth.attempts (expire);

-- Links in mails, by a digest of their token: for a new password, or for the email that a gamer wants or confirms.
CREATE TABLE auth.mailed_links (
  token_hash bytea PRIMARY KEY,
  page text NOT NULL CHECK (page IN ('reset-password', 'confirm-email')),
  gamer_id text NOT NULL REFERENCES auth.accounts ON DELETE CASCADE,
  email text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX mailed_links_gamer ON auth.mailed_links (gamer_id);
CREATE INDEX mailed_links_expiry ON auth.mailed_links (expires_at);
-- A change of an account that began and is not known to have ended: its events may be in the log, while the row is as before.
CREATE TABLE auth.account_changes (
  id uuid PRIMARY KEY,
  gamer_id text NOT NULL,
  begun_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
-- No reference to accounts: the row outlives the account, until the erasure is complete.
CREATE TABLE auth.removals (
  gamer_id text PRIMARY KEY,
  actor_id text NOT NULL,
  command_id text NOT NULL,
  begun_at timestamptz NOT NULL
);
-- The keys of the gamers' personal texts in the ledger. Deleting a gamer destroys the key with the account.
CREATE TABLE auth.text_keys (
  gamer_id text PRIMARY KEY REFERENCES auth.accounts ON DELETE CASCADE,
  key bytea NOT NULL CHECK (octet_length(key) = 64)
);
-- Keyed digests of the mailboxes that excluded gamers confirmed. No reference to accounts: the rows outlive the account.
CREATE TABLE auth.excluded_mailboxes (
  digest text NOT NULL,
  gamer_id text NOT NULL,
  PRIMARY KEY (digest, gamer_id)
);
-- A digest under each secret that keys rows of auth.excluded_mailboxes. A node without one of these secrets must not start.
CREATE TABLE auth.exclusion_keys (digest text PRIMARY KEY);

-- Browsers that are reminded when a round goes live. They go with their gamer's account.
CREATE TABLE auth.push_subscriptions (
  endpoint text PRIMARY KEY,
  gamer_id text NOT NULL REFERENCES auth.accounts ON DELETE CASCADE,
  p256dh text NOT NULL,
  auth text NOT NULL,
  -- The server's key for which the browser subscribed: it accepts no other.
  server_key text NOT NULL,
  -- The newest round of which the browser was reminded, so that each node reminds it at most once.
  round_id bigint NOT NULL,
  subscribed_at timestamptz NOT NULL
);
CREATE INDEX push_subscriptions_gamer ON auth.push_subscriptions (gamer_id, subscribed_at);
CREATE INDEX push_subscriptions_round ON auth.push_subscriptions (round_id);

CREATE SCHEMA IF NOT EXISTS ledger;
CREATE TABLE ledger.liveness (
  node_id text PRIMARY KEY,
  alive_since_ms bigint NOT NULL,
  last_alive_at_ms bigint NOT NULL
);
CREATE TABLE ledger.payment_polls (
  order_id text PRIMARY KEY,
  polled_at_ms bigint NOT NULL,
  next_at_ms bigint NOT NULL
);
CREATE TABLE ledger.snapshots (
  id uuid PRIMARY KEY,
  program text NOT NULL,
  revision bigint NOT NULL,
  chain text NOT NULL,
  tree text NOT NULL,
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
CREATE TABLE ledger.signed_heads (
  size bigint PRIMARY KEY,
  note text NOT NULL,
  is_witnessed boolean NOT NULL,
  signed_at timestamptz NOT NULL DEFAULT now()
);
-- The bytes are compressed already.
ALTER TABLE ledger.snapshot_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;
