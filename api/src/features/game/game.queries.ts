import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { GameState, StatsResponse } from '../../../../contracts/http/game.js';
import type { Winner } from '../../../../contracts/http/rounds.js';
import type { TimerSettings } from '../../../../contracts/limits.js';
import { type Game, initialGame } from '../../../../domain/game.js';
import { GameBoard, StatsRow, WinnerRow } from '../../../../projections/src/views/tables.entity.js';
import { type Page, skipTakeOf } from '../../http/page.js';
import { PublicQueryCache } from '../../http/read-checkpoint.queries.js';
import { GamerTags } from '../gamers/gamers.queries.js';
import { gamersOn, gameStateOf } from './game-state.js';

@Injectable()
export class GameQueries {
  constructor(
    private readonly tables: EntityManager,
    private readonly tags: GamerTags,
    private readonly cache: PublicQueryCache,
  ) {}

  async state(nowMs: number): Promise<GameState> {
    const { game, tagOf } = await this.cache.get('state', async () => {
      const game = await this.game();
      return { game, tagOf: await this.tags.of(gamersOn(game)) };
    });
    return gameStateOf(game, tagOf, nowMs);
  }

  /** The timers as last set; the round under way may still run on earlier ones. */
  async timers(): Promise<TimerSettings> {
    return (await this.game()).timers;
  }

  /** Newest first. */
  winners(page: Page): Promise<Winner[]> {
    return this.cache.get(`winners ${page.page} ${page.pageSize}`, async () => {
      const order = { endedAtMs: 'DESC', roundId: 'DESC' } as const;
      const rows = await this.tables.find(WinnerRow, { order, ...skipTakeOf(page) });
      const tagOf = await this.tags.of(rows.map(({ winnerId }) => winnerId));
      return rows.map(({ roundId, winnerId, jackpotCents, endedAtMs }) => ({
        roundId,
        winnerId,
        winnerGamerTag: tagOf(winnerId),
        jackpotCents,
        endedAt: endedAtMs,
      }));
    });
  }

  stats(): Promise<StatsResponse> {
    return this.cache.get('stats', async () => {
      const row = await this.tables.findOneByOrFail(StatsRow, { id: 1 });
      return { totalGamers: row.totalGamers, totalWinningsDollars: row.totalWinningsCents / 100 };
    });
  }

  private async game(): Promise<Game> {
    return (await this.tables.findOneBy(GameBoard, { id: 1 }))?.game ?? initialGame;
  }
}
