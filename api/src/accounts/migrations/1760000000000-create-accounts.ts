import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateAccounts1760000000000 implements MigrationInterface {
  name = 'CreateAccounts1760000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
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
      )`);
    await runner.query('CREATE UNIQUE INDEX accounts_gamer_tag ON auth.accounts (lower(gamer_tag))');
    await runner.query('CREATE UNIQUE INDEX accounts_email ON auth.accounts (lower(email))');
    await runner.query('CREATE INDEX accounts_not_enrolled ON auth.accounts (created_at) WHERE NOT enrolled');
    await runner.query(
      'CREATE TABLE auth.sessions (sid text PRIMARY KEY, sess json NOT NULL, expire timestamptz NOT NULL)',
    );
    await runner.query('CREATE INDEX sessions_expire ON auth.sessions (expire)');
    await runner.query(`CREATE INDEX sessions_gamer ON auth.sessions ((sess->>'gamerId'))`);
    // The shape that rate-limiter-flexible works on.
    await runner.query('CREATE TABLE auth.attempts (key text PRIMARY KEY, points integer NOT NULL, expire bigint)');
    await runner.query('CREATE INDEX attempts_expire ON auth.attempts (expire)');
    await runner.query(`
      CREATE TABLE auth.known_addresses (
        gamer_id text NOT NULL REFERENCES auth.accounts ON DELETE CASCADE,
        address text NOT NULL,
        last_seen_at timestamptz NOT NULL,
        PRIMARY KEY (gamer_id, address)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE auth.known_addresses, auth.attempts, auth.sessions, auth.accounts');
  }
}
