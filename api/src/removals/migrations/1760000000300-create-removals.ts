import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateRemovals1760000000300 implements MigrationInterface {
  name = 'CreateRemovals1760000000300';

  async up(runner: QueryRunner): Promise<void> {
    // No reference to accounts: the row outlives the account, until nothing of the gamer is left.
    await runner.query(`
      CREATE TABLE auth.removals (
        gamer_id text PRIMARY KEY,
        actor_id text NOT NULL,
        command_id text NOT NULL,
        begun_at timestamptz NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE auth.removals');
  }
}
