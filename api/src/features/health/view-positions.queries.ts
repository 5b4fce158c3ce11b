import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';

/** How far each read model is, from the worker's table. */
@Injectable()
export class ViewPositionsQueries {
  constructor(private readonly pool: Pool) {}

  /** By view: how many log positions it is behind the checkpoint; 0 when current. Empty when the table cannot be read. */
  async behind(): Promise<Map<string, number>> {
    try {
      const { rows } = await this.pool.query<{ name: string; behind: string }>(
        'SELECT name, checkpoint.position - views.position AS behind FROM read.views, read.checkpoint',
      );
      return new Map(rows.map(({ name, behind }) => [name, Number(behind)]));
    } catch {
      // Other metrics must be readable while Postgres is not; /api/health tells why.
      return new Map();
    }
  }
}
