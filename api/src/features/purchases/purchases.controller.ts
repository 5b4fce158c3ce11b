import { Body, Controller, Get, Module, UseGuards, UseInterceptors } from '@nestjs/common';
import type {
  BuyFromBalanceRequest,
  PurchaseReceipt,
  RecentPurchasesResponse,
} from '../../../../contracts/http/purchases.js';
import { MAX_TOKENS_PER_PURCHASE } from '../../../../contracts/limits.js';
import type { CommandMetadata } from '../../../../domain/ledger/ledger-commands.js';
import { loggedInOr } from '../../http/guards.js';
import { AfterPositionInterceptor, ReadsViews } from '../../http/position.interceptors.js';
import { Metadata, mustBeOwn, PostCommand } from '../../http/session.js';
import { text, wholeNumber } from '../../http/validation.js';
import { answer } from '../../ledger/answers.js';
import type { CommandResult } from '../../ledger/command-queue.js';
import { Ledger } from '../../ledger/ledger.js';
import { PurchasesQueries } from './purchases.queries.js';

/** The receipt of decision 40, made from the events: a replayed response is the same receipt. */
function receiptOf({ events }: CommandResult): PurchaseReceipt {
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
}

export class BuyFromBalanceDto implements BuyFromBalanceRequest {
  @wholeNumber(1, MAX_TOKENS_PER_PURCHASE, 'invalid-quantity', 'too-many-tokens') quantity!: number;
  @text('login-to-buy') userId!: string;
}

@Controller('api')
export class PurchasesController {
  constructor(
    private readonly ledger: Ledger,
    private readonly queries: PurchasesQueries,
  ) {}

  /** Buys tokens for the logged-in gamer, while the game is live. */
  @PostCommand('buy-from-balance')
  @UseGuards(loggedInOr('login-to-buy'))
  buyFromBalance(@Metadata() metadata: CommandMetadata, @Body() { quantity, userId }: BuyFromBalanceDto) {
    mustBeOwn(metadata.actor.id, userId);
    return answer(this.ledger.execute({ type: 'BuyTokens', buyerId: userId, quantity }, metadata), receiptOf);
  }

  /** The latest purchases of all rounds, newest first. */
  @Get('purchases/recent')
  @ReadsViews('recent-purchases', 'gamers')
  @UseInterceptors(AfterPositionInterceptor)
  async recent(): Promise<RecentPurchasesResponse> {
    return { purchases: await this.queries.recent() };
  }
}

@Module({ controllers: [PurchasesController], providers: [PurchasesQueries] })
export class PurchasesModule {}
