import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { CommandId, GamerId } from '../../../../contracts/ids.js';

/** A removal that the admin's command began. */
export interface BegunRemoval {
  gamerId: GamerId;
  actorId: GamerId;
  commandId: CommandId;
  begunAt: Date;
}

const COLUMNS = 'gamer_id AS "gamerId", actor_id AS "actorId", command_id AS "commandId", begun_at AS "begunAt"';

/** The table `auth.removals`: removals that are not finished. */
@Injectable()
export class RemovalsStore {
  constructor(private readonly pool: Pool) {}

  /** Stores the intent. Idempotent: returns the stored intent when the gamer's removal has begun before. */
  async begin({ gamerId, actorId, commandId, begunAt }: BegunRemoval): Promise<BegunRemoval> {
    const { rows } = await this.pool.query<BegunRemoval>(
      `INSERT INTO auth.removals (gamer_id, actor_id, command_id, begun_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (gamer_id) DO UPDATE SET gamer_id = excluded.gamer_id RETURNING ${COLUMNS}`,
      [gamerId, actorId, commandId, begunAt],
    );
    return rows[0] as BegunRemoval;
  }

  /** Deletes the intent of a removal that is finished or refused. */
  async end(gamerId: GamerId): Promise<void> {
    await this.pool.query('DELETE FROM auth.removals WHERE gamer_id = $1', [gamerId]);
  }

  async begunBefore(time: Date): Promise<BegunRemoval[]> {
    const { rows } = await this.pool.query<BegunRemoval>(
      `SELECT ${COLUMNS} FROM auth.removals WHERE begun_at <= $1 ORDER BY begun_at, gamer_id`,
      [time],
    );
    return rows;
  }
}
