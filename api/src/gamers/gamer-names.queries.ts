import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import type { GamerId } from '../../../contracts/ids.js';
import { GamerRow } from '../../../projections/src/views/gamers.entity.js';
import { NAMELESS } from '../game/game-state.js';

export type NameOf = (gamerId: GamerId) => string;

/** Gamers by name, in feeds: one whose name was erased is called as decision 38 says. */
@Injectable()
export class GamerNames {
  constructor(@InjectRepository(GamerRow) private readonly gamers: Repository<GamerRow>) {}

  async of(gamerIds: Iterable<GamerId>): Promise<NameOf> {
    const ids = [...new Set(gamerIds)];
    const rows =
      ids.length === 0 ? [] : await this.gamers.find({ select: { id: true, gamerTag: true }, where: { id: In(ids) } });
    const names = new Map(rows.map(({ id, gamerTag }) => [id, gamerTag]));
    return (gamerId) => names.get(gamerId) ?? NAMELESS;
  }
}
