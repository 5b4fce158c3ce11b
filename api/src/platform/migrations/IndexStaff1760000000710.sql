-- The few accounts that are not plain gamers: read at each start and every minute.
CREATE INDEX accounts_staff ON auth.accounts (role) WHERE role <> 'gamer';
