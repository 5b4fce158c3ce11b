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
