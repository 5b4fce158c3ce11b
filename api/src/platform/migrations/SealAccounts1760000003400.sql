-- Authentication codes of the rows that let somebody act as somebody, under a key that Postgres does not hold. Null in rows
-- of earlier releases, until the first node of this one seals them.
ALTER TABLE auth.accounts
  ADD COLUMN seal bytea,
  -- SHA-256 of the sealed secret in force, in hex: a second factor that is deleted or replaced by hand stays required.
  ADD COLUMN second_factor text;
UPDATE auth.accounts AS account SET second_factor = encode(sha256(factor.secret), 'hex')
FROM auth.second_factors AS factor WHERE factor.gamer_id = account.gamer_id AND factor.secret IS NOT NULL;
ALTER TABLE auth.sessions ADD COLUMN seal bytea;
ALTER TABLE auth.recovery_codes ADD COLUMN seal bytea;
ALTER TABLE auth.removals ADD COLUMN seal bytea;
ALTER TABLE auth.password_resets ADD COLUMN seal bytea;
ALTER TABLE auth.email_changes ADD COLUMN seal bytea;
-- Nodes keep accounts and sessions in memory: every change of what a seal covers is news. A new seal of the same is none.
DROP TRIGGER notify_change ON auth.accounts;
CREATE TRIGGER notify_change
  AFTER UPDATE OF gamer_id, gamer_tag, email, password_hash, role, ref_code, sponsor_id, second_factor, created_at
  OR DELETE ON auth.accounts FOR EACH ROW EXECUTE FUNCTION auth.notify_change('gamer_id');
DROP TRIGGER notify_change ON auth.sessions;
CREATE TRIGGER notify_change AFTER UPDATE OF sid, sess, expire, ends_at, proved_at, has_second_factor OR DELETE ON auth.sessions
  FOR EACH ROW WHEN (OLD.expire > now()) EXECUTE FUNCTION auth.notify_change('sid');
