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
