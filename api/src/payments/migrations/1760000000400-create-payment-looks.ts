import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreatePaymentLooks1760000000400 implements MigrationInterface {
  name = 'CreatePaymentLooks1760000000400';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ledger.payment_looks (
        order_id text PRIMARY KEY,
        looked_at_ms bigint NOT NULL,
        next_at_ms bigint NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ledger.payment_looks');
  }
}
