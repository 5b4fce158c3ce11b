import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { CommandId, GamerId } from '../../../contracts/ids.js';
import { RowSeals } from '../platform/row-seals.js';
import { SEALED_TABLES, type SealedRow } from '../platform/sealed-tables.js';

/** A removal that the admin's command began. */
export interface BegunRemoval {
  gamerId: GamerId;
  actorId: GamerId;
  commandId: CommandId;
  begunAt: Date;
}

type RemovalContent = Omit<BegunRemoval, 'begunAt'> & { begunAt: number };
type RemovalRow = SealedRow<RemovalContent>;

const COLUMNS = `${SEALED_TABLES.removals.content} AS content, seal`;

/** The table `auth.removals`: removals that are not finished. Only a sealed row counts: it removes a gamer in the admin's name. */
@Injectable()
export class RemovalsStore {
  constructor(
    private readonly pool: Pool,
    private readonly seals: RowSeals,
  ) {}

  /** Stores the intent. Idempotent: returns the stored intent when the gamer's removal has begun before. */
  async begin(wanted: BegunRemoval): Promise<BegunRemoval> {
    const { gamerId, actorId, commandId, begunAt } = wanted;
    const content: RemovalContent = { gamerId, actorId, commandId, begunAt: begunAt.getTime() * 1_000 };
    const parameters = [gamerId, actorId, commandId, begunAt, this.seals.of('removals', content)];
    const { rows } = await this.pool.query<RemovalRow>(
      `INSERT INTO auth.removals (gamer_id, actor_id, command_id, begun_at, seal) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (gamer_id) DO UPDATE SET gamer_id = excluded.gamer_id RETURNING ${COLUMNS}`,
      parameters,
    );
    const [begun] = rows.filter((row) => this.isGenuine(row));
    if (begun) return removalOf(begun);
    await this.pool.query(
      `UPDATE auth.removals SET actor_id = $2, command_id = $3, begun_at = $4, seal = $5 WHERE gamer_id = $1`,
      parameters,
    );
    return wanted;
  }

  /** Deletes the intent of a removal that is finished or refused. */
  async end(gamerId: GamerId): Promise<void> {
    await this.pool.query('DELETE FROM auth.removals WHERE gamer_id = $1', [gamerId]);
  }

  async begunBefore(time: Date): Promise<BegunRemoval[]> {
    const { rows } = await this.pool.query<RemovalRow>(
      `SELECT ${COLUMNS} FROM auth.removals WHERE begun_at <= $1 ORDER BY begun_at, gamer_id`,
      [time],
    );
    return rows.filter((row) => this.isGenuine(row)).map(removalOf);
  }

  private isGenuine(row: RemovalRow): boolean {
    return this.seals.isGenuine('removals', row.content.gamerId, row);
  }
}

const removalOf = ({ content }: RemovalRow): BegunRemoval => ({
  ...content,
  begunAt: new Date(content.begunAt / 1_000),
});
