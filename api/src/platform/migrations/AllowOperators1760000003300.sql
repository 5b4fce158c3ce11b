-- Operators (decision 50). Their powers are in the ledger.
ALTER TABLE auth.accounts DROP CONSTRAINT accounts_role_check,
  ADD CONSTRAINT accounts_role_check CHECK (role IN ('gamer', 'admin', 'auditor', 'operator'));
