-- The sessions of staff end after an idle time, and at `ends_at` at the latest; null for gamers.
ALTER TABLE auth.sessions
  ADD COLUMN ends_at timestamptz,
  -- The last login or step-up.
  ADD COLUMN proved_at timestamptz,
  ADD COLUMN has_second_factor boolean NOT NULL DEFAULT false;
UPDATE auth.sessions AS session
SET ends_at = least(expire, now() + interval '12 hours'), expire = least(expire, now() + interval '30 minutes')
FROM auth.accounts AS account
WHERE account.gamer_id = session.sess ->> 'gamerId' AND account.role <> 'gamer';

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
-- Nodes keep in memory which accounts have a second factor.
CREATE FUNCTION auth.notify_second_factor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('auth_accounts', coalesce(NEW.gamer_id, OLD.gamer_id));
  RETURN NULL;
END
$$;
CREATE TRIGGER notify_change AFTER INSERT OR DELETE OR UPDATE OF secret ON auth.second_factors
  FOR EACH ROW EXECUTE FUNCTION auth.notify_second_factor();

-- Sign-ins, step-ups, resets and role changes, for 90 days. They go with their gamer's account.
CREATE TABLE auth.sign_ins (
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
CREATE INDEX sign_ins_at ON auth.sign_ins (at);
CREATE INDEX sign_ins_gamer ON auth.sign_ins (gamer_id);
CREATE INDEX sign_ins_actor ON auth.sign_ins (actor_id) WHERE actor_id IS NOT NULL;
