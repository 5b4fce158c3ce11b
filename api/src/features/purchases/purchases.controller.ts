import { Body, Controller, Get, Module, UseGuards } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { IsInt } from 'class-validator';
import type * as http from '../../../../contracts/http/purchases.js';
import type { CommandMetadata } from '../../../../domain/ledger/ledger-commands.js';
import { LoggedIn, loggedInOr } from '../../http/guards.js';
import { ReadsViews } from '../../http/position.interceptors.js';
import { CurrentGamer, Metadata, mustBeOwn, PostCommand, type SessionGamer } from '../../http/session.js';
import { refuseAs, text } from '../../http/validation.js';
import { ledgerCommand } from '../../ledger/ledger-command.js';
import { ReceiptsModule } from '../receipts/receipts.controller.js';
import { LatePurchases } from './late-purchases.js';
import { PurchasesQueries } from './purchases.queries.js';

/** Responds with the receipt of decision 40, made from the events: a replayed response is the same receipt. */
const BuyTokens = ledgerCommand('BuyTokens', (_command, { events }): http.PurchaseReceipt => {
  const [bought, extended] = events;
  if (bought?.event.type !== 'TokenPurchased' || extended?.event.type !== 'TimeExtended')
    throw new Error('BuyTokens was accepted without TokenPurchased and TimeExtended');
  const { purchaseId, roundId, quantity, costCents, purchaseBalanceCents } = bought.event.data;
  return {
    success: true,
    message: `Purchased ${quantity} Omni Token(s) successfully`,
    purchaseId,
    roundId,
    quantity,
    costCents,
    purchaseBalanceCents,
    receivedAtEpochMs: bought.event.data.receivedAtEpochMs,
    endsAtEpochMs: extended.event.data.endsAtEpochMs,
    revision: bought.revision,
    eventId: bought.id,
    chain: bought.metadata.chain,
  };
});

export class BuyFromBalanceDto implements http.BuyFromBalanceRequest {
  @IsInt(refuseAs('invalid-quantity')) quantity!: number;
  @text('login-to-buy') userId!: string;
}

@Controller('api')
export class PurchasesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: PurchasesQueries,
    private readonly late: LatePurchases,
  ) {}

  /** Buys tokens for the logged-in gamer, while the game is live. */
  @PostCommand('buy-from-balance')
  @UseGuards(loggedInOr('login-to-buy'))
  buyFromBalance(@Metadata() metadata: CommandMetadata, @Body() { quantity, userId }: BuyFromBalanceDto) {
    mustBeOwn(metadata.actor.id, userId);
    return this.commands
      .execute(new BuyTokens({ buyerId: userId, quantity }, metadata))
      .catch(async (error: unknown) => {
        throw await this.late.refusalOf(error, quantity, metadata);
      });
  }

  /** The latest purchases of all rounds, newest first. */
  @Get('purchases/recent')
  @ReadsViews('recent-purchases', 'gamers')
  async recent(): Promise<http.RecentPurchasesResponse> {
    return { purchases: await this.queries.recent() };
  }

  /** The session's purchases that came too late, newest first, with their signed refusals. */
  @Get('purchases/late')
  @UseGuards(LoggedIn)
  @ReadsViews('late-purchases')
  async latePurchases(@CurrentGamer() { gamerId }: SessionGamer): Promise<http.LatePurchasesResponse> {
    return { signedRefusals: await this.queries.refusalsOf(gamerId) };
  }
}

@Module({
  imports: [ReceiptsModule],
  controllers: [PurchasesController],
  providers: [LatePurchases, PurchasesQueries, BuyTokens.Handler],
  exports: [PurchasesQueries],
})
export class PurchasesModule {}
