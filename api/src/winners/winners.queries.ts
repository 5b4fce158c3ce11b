import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Winner } from '../../../contracts/http/game.js';
import { WinnerRow } from '../../../projections/src/views/winners.entity.js';
import { GamerNames } from '../gamers/gamer-names.queries.js';

@Injectable()
export class WinnersQueries {
  constructor(
    @InjectRepository(WinnerRow) private readonly winners: Repository<WinnerRow>,
    private readonly names: GamerNames,
  ) {}

  /** Newest first. */
  async page(page: number, pageSize: number): Promise<Winner[]> {
    const rows = await this.winners.find({
      order: { endedAtMs: 'DESC', roundId: 'DESC' },
      skip: (page - 1) * pageSize,
      take: pageSize,
    });
    const nameOf = await this.names.of(rows.map(({ winnerId }) => winnerId));
    return rows.map(({ roundId, winnerId, jackpotCents, endedAtMs }) => ({
      roundId,
      winnerId,
      winnerGamerTag: nameOf(winnerId),
      jackpotCents,
      endedAt: endedAtMs,
    }));
  }
}
