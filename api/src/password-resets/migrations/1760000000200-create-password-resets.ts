import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreatePasswordResets1760000000200 implements MigrationInterface {
  name = 'CreatePasswordResets1760000000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE auth.password_resets (
        token_hash bytea PRIMARY KEY,
        gamer_id text NOT NULL REFERENCES auth.accounts ON DELETE CASCADE,
        expires_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX password_resets_gamer ON auth.password_resets (gamer_id)');
    await runner.query('CREATE INDEX password_resets_expiry ON auth.password_resets (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE auth.password_resets');
  }
}
