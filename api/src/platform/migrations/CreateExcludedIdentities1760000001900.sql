-- Keyed digests of excluded gamers' emails and payout addresses. No reference to accounts: the rows outlive the account.
CREATE TABLE auth.excluded_identities (
  digest text NOT NULL,
  gamer_id text NOT NULL,
  PRIMARY KEY (digest, gamer_id)
);
