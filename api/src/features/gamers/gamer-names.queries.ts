import { Injectable } from '@nestjs/common';
import { EntityManager, In } from 'typeorm';
import type { GamerId } from '../../../../contracts/ids.js';
import { GamerRow } from '../../../../projections/src/views/tables.entity.js';

/** The name shown for a gamer who was deleted (decision 38). */
export const NAMELESS = 'deleted-gamer';

export type NameOf = (gamerId: GamerId) => string;

/** The names of gamers in lists; deleted gamers are shown as NAMELESS. */
@Injectable()
export class GamerNames {
  constructor(private readonly tables: EntityManager) {}

  async of(gamerIds: Iterable<GamerId>): Promise<NameOf> {
    const ids = [...new Set(gamerIds)];
    const rows =
      ids.length === 0
        ? []
        : await this.tables.find(GamerRow, { select: { id: true, gamerTag: true }, where: { id: In(ids) } });
    const names = new Map(rows.map(({ id, gamerTag }) => [id, gamerTag]));
    return (gamerId) => names.get(gamerId) ?? NAMELESS;
  }
}
