import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';

/** The projection worker, by the advisory lock that it holds for as long as it writes (projections/src/runner.ts). */
@Injectable()
export class WorkerQueries {
  constructor(private readonly pool: Pool) {}

  async isThere(): Promise<boolean> {
    const { rows } = await this.pool.query<{ isThere: boolean }>(
      `SELECT EXISTS (
         SELECT FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
           AND ((classid::bigint << 32) | objid::bigint) = hashtext('projections-runner')::bigint
       ) AS "isThere"`,
    );
    return rows[0]?.isThere === true;
  }
}
