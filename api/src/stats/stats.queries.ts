import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { StatsResponse } from '../../../contracts/http/game.js';
import { StatsRow } from '../../../projections/src/views/stats.entity.js';

@Injectable()
export class StatsQueries {
  constructor(@InjectRepository(StatsRow) private readonly stats: Repository<StatsRow>) {}

  async current(): Promise<StatsResponse> {
    const row = await this.stats.findOneByOrFail({ id: 1 });
    return { totalGamers: row.totalGamers, totalWinningsDollars: row.totalWinningsCents / 100 };
  }
}
