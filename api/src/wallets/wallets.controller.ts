import { Body, Controller, Get, HttpCode, Param, Post, UseGuards, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { CryptoWallets } from '../../../contracts/http/withdrawals.js';
import { actorOf } from '../http/actor.js';
import { AfterPositionInterceptor } from '../http/after-position.interceptor.js';
import { CommandId } from '../http/command-id.js';
import { CurrentSession, type GamerOfSession, LoggedIn, own } from '../http/session.js';
import { SaveWalletDto } from '../withdrawals/withdrawals.dto.js';
import { SaveWallet } from './wallets.handlers.js';
import { WalletsQueries } from './wallets.queries.js';

@Controller('api/gamer/:id/crypto-wallets')
@UseGuards(LoggedIn)
@UseInterceptors(AfterPositionInterceptor)
export class WalletsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: WalletsQueries,
  ) {}

  /** One’s own saved wallet addresses, by coin. */
  @Get()
  wallets(@CurrentSession() session: GamerOfSession, @Param('id') id: string): Promise<CryptoWallets> {
    own(session, id);
    return this.queries.of(id);
  }

  /** Saves one’s own wallet address for a coin; 20 an hour. */
  @Post()
  @HttpCode(200)
  save(
    @CurrentSession() session: GamerOfSession,
    @CommandId() commandId: string,
    @Param('id') id: string,
    @Body() { cryptoType, walletAddress }: SaveWalletDto,
  ) {
    own(session, id);
    return this.commands.execute(new SaveWallet(cryptoType, walletAddress, { actor: actorOf(session), commandId }));
  }
}
