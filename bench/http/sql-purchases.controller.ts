import { Body, Controller, HttpCode, type OnApplicationShutdown, Param, Post, UseGuards } from '@nestjs/common';
import { CurrentSession, type GamerOfSession, LoggedIn, own } from '../../api/src/http/session.js';
import { BuyFromBalanceDto } from '../../api/src/purchases/purchases.controller.js';
import type { PurchaseReceipt } from '../../contracts/http/game.js';
import { TOKEN_PRICE_CENTS } from '../../contracts/limits.js';
import { SqlPurchases } from '../sql-purchases.js';

/** A pool for each number of connections that is asked for, so that a sweep needs no restart. */
export class SqlPools implements OnApplicationShutdown {
  private readonly pools = new Map<string, SqlPurchases>();

  constructor(private readonly databaseUrl: string) {}

  of(connections: string): SqlPurchases {
    let pool = this.pools.get(connections);
    if (!pool) {
      pool = new SqlPurchases(this.databaseUrl, Number(connections));
      this.pools.set(connections, pool);
    }
    return pool;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.close()));
  }
}

@Controller('api/bench')
@UseGuards(LoggedIn)
export class SqlPurchasesController {
  constructor(private readonly pools: SqlPools) {}

  @Post('buy-by-sql/:connections')
  @HttpCode(200)
  async buyBySql(
    @CurrentSession() session: GamerOfSession,
    @Param('connections') connections: string,
    @Body() { quantity, userId }: BuyFromBalanceDto,
  ): Promise<Omit<PurchaseReceipt, 'revision'>> {
    own(session, userId);
    const receivedAtEpochMs = Date.now();
    const bought = await this.pools.of(connections).buy(userId, quantity, receivedAtEpochMs);
    return {
      success: true,
      message: `Purchased ${quantity} Omni Token(s) successfully`,
      ...bought,
      quantity,
      costCents: quantity * TOKEN_PRICE_CENTS,
      receivedAtEpochMs,
    };
  }
}
