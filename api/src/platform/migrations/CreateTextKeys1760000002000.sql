-- The keys of the gamers' personal texts in the ledger. Deleting a gamer destroys the key with the account.
CREATE TABLE auth.text_keys (
  gamer_id text PRIMARY KEY REFERENCES auth.accounts ON DELETE CASCADE,
  key bytea NOT NULL CHECK (octet_length(key) = 64)
);
