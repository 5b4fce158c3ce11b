import { Body, Controller, Get, HttpCode, Post, UseGuards, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { IsInt, IsString, Max, Min } from 'class-validator';
import type { BuyFromBalanceRequest, RecentPurchasesResponse } from '../../../../contracts/http/purchases.js';
import { MAX_TOKENS_PER_PURCHASE } from '../../../../contracts/limits.js';
import type { CommandMetadata } from '../../../../domain/ledger/ledger-commands.js';
import { AfterPositionInterceptor, ReadsViews } from '../../http/position.interceptors.js';
import { loggedInOr, Metadata, mustBeOwn } from '../../http/session.js';
import { refuseAs } from '../../http/validation.js';
import { BuyTokens } from './purchases.commands.js';
import { PurchasesQueries } from './purchases.queries.js';

export class BuyFromBalanceDto implements BuyFromBalanceRequest {
  @Max(MAX_TOKENS_PER_PURCHASE, refuseAs('too-many-tokens'))
  @Min(1, refuseAs('invalid-quantity'))
  @IsInt(refuseAs('invalid-quantity'))
  quantity!: number;

  @IsString(refuseAs('login-to-buy'))
  userId!: string;
}

@Controller('api')
export class PurchasesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: PurchasesQueries,
  ) {}

  /** Buys tokens for the logged-in gamer, while the game is live. */
  @Post('buy-from-balance')
  @HttpCode(200)
  @UseGuards(loggedInOr('login-to-buy'))
  buyFromBalance(@Metadata() metadata: CommandMetadata, @Body() { quantity, userId }: BuyFromBalanceDto) {
    mustBeOwn(metadata.actor.id, userId);
    return this.commands.execute(new BuyTokens({ buyerId: userId, quantity }, metadata));
  }

  /** The latest purchases of all rounds, newest first. */
  @Get('purchases/recent')
  @ReadsViews('recent-purchases', 'gamers')
  @UseInterceptors(AfterPositionInterceptor)
  async recent(): Promise<RecentPurchasesResponse> {
    return { purchases: await this.queries.recent() };
  }
}
