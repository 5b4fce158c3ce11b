import { Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { IsInt, IsString, Max, Min } from 'class-validator';
import type { BuyFromBalanceRequest } from '../../../contracts/http/game.js';
import { MAX_TOKENS_PER_PURCHASE } from '../../../contracts/limits.js';
import { refusalText } from '../../../contracts/messages.js';
import { actorOf } from '../http/actor.js';
import { CommandId } from '../http/command-id.js';
import { CurrentSession, type GamerOfSession, LoggedIn, own } from '../http/session.js';
import { BuyTokens } from './purchases.handlers.js';

export class BuyFromBalanceDto implements BuyFromBalanceRequest {
  @Max(MAX_TOKENS_PER_PURCHASE, { message: refusalText({ code: 'too-many-tokens' }) })
  @Min(1, { message: refusalText({ code: 'invalid-quantity' }) })
  @IsInt({ message: refusalText({ code: 'invalid-quantity' }) })
  quantity!: number;

  @IsString({ message: 'Please log in to buy tokens' })
  userId!: string;
}

@Controller('api')
@UseGuards(LoggedIn)
export class PurchasesController {
  constructor(private readonly commands: CommandBus) {}

  /** Buys tokens in one’s own name, while the game is live. */
  @Post('buy-from-balance')
  @HttpCode(200)
  buyFromBalance(
    @CurrentSession() session: GamerOfSession,
    @CommandId() commandId: string,
    @Body() { quantity, userId }: BuyFromBalanceDto,
  ) {
    own(session, userId);
    return this.commands.execute(new BuyTokens(quantity, { actor: actorOf(session), commandId }));
  }
}
