import { Body, Controller, Get, HttpCode, Param, Post, Put, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { CommandMetadata } from '../../../../domain/ledger/ledger-commands.js';
import { Page } from '../../http/page.js';
import { AfterPositionInterceptor } from '../../http/position.interceptors.js';
import {
  AdminOnly,
  adminOr,
  CurrentSession,
  LoggedIn,
  Metadata,
  mustBeOwn,
  mustBeOwnOrAdmin,
  type SessionGamer,
  SteppedUp,
} from '../../http/session.js';
import { NamesWhoChanged } from '../gamers/who-changed.queries.js';
import {
  CancelWithdrawal,
  RequestProfitWithdrawal,
  RequestWithdrawal,
  SaveWallet,
  UpdateProfitWithdrawal,
  UpdateWithdrawal,
} from './withdrawals.commands.js';
import {
  ProfitWithdrawDto,
  SaveWalletDto,
  UpdateWithdrawalDto,
  updateOf,
  WithdrawalsQuery,
  WithdrawDto,
} from './withdrawals.dto.js';
import { WithdrawalsQueries } from './withdrawals.queries.js';

@Controller('api')
@UseInterceptors(AfterPositionInterceptor)
export class WithdrawalsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: WithdrawalsQueries,
  ) {}

  /** Requests a payout of the gamer’s own winnings. */
  @Post('gamer/:id/withdraw')
  @HttpCode(200)
  @UseGuards(LoggedIn)
  withdraw(@Metadata() metadata: CommandMetadata, @Param('id') gamerId: string, @Body() payout: WithdrawDto) {
    mustBeOwn(metadata.actor.id, gamerId);
    return this.commands.execute(new RequestWithdrawal({ gamerId, payout: { ...payout } }, metadata));
  }

  /** Cancels the gamer’s own pending payout: the money comes back to the winnings. */
  @Post('gamer/:id/withdrawals/:withdrawalId/cancel')
  @HttpCode(200)
  @UseGuards(LoggedIn)
  cancel(
    @Metadata() metadata: CommandMetadata,
    @Param('id') gamerId: string,
    @Param('withdrawalId') withdrawalId: string,
  ) {
    mustBeOwn(metadata.actor.id, gamerId);
    return this.commands.execute(new CancelWithdrawal({ gamerId, withdrawalId }, metadata));
  }

  /** A gamer’s own payouts, newest first; the admin reads every gamer’s. */
  @Get('gamer/:id/withdrawals')
  @UseGuards(LoggedIn)
  ofGamer(@CurrentSession() session: SessionGamer, @Param('id') id: string, @Query() page: Page) {
    mustBeOwnOrAdmin(session, id);
    return this.queries.ofGamers(page, { gamerId: id });
  }

  /** The gamer’s own saved wallet addresses, by coin. */
  @Get('gamer/:id/crypto-wallets')
  @UseGuards(LoggedIn)
  wallets(@CurrentSession() session: SessionGamer, @Param('id') id: string) {
    mustBeOwn(session.gamerId, id);
    return this.queries.walletsOf(id);
  }

  /** Saves the gamer’s wallet address for a coin; 20 an hour. */
  @Post('gamer/:id/crypto-wallets')
  @HttpCode(200)
  @UseGuards(LoggedIn)
  saveWallet(@Metadata() metadata: CommandMetadata, @Param('id') id: string, @Body() body: SaveWalletDto) {
    mustBeOwn(metadata.actor.id, id);
    return this.commands.execute(
      new SaveWallet({ cryptoType: body.cryptoType, walletAddress: body.walletAddress }, metadata),
    );
  }

  /** All payouts, newest first; `listed` selects the pending or the settled ones. */
  @Get('admin/withdrawals')
  @UseGuards(adminOr('money'))
  all(@Query() query: WithdrawalsQuery) {
    return this.queries.ofGamers(query, { listed: query.listed });
  }

  /** Settles a payout: processing, completed or returned. */
  @Put('admin/withdrawals/:id')
  @UseGuards(adminOr('money'), SteppedUp)
  @UseInterceptors(NamesWhoChanged)
  update(@Metadata() metadata: CommandMetadata, @Param('id') withdrawalId: string, @Body() body: UpdateWithdrawalDto) {
    const readAs = metadata.version;
    const fields = { withdrawalId, update: updateOf(body), ...(readAs !== undefined && { readAs }) };
    return this.commands.execute(new UpdateWithdrawal(fields, metadata));
  }
}

/** Payouts of the operator's profit (specification §5, profit withdrawal request). */
@Controller('api/admin/profits')
@UseGuards(AdminOnly)
@UseInterceptors(AfterPositionInterceptor)
export class ProfitWithdrawalsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: WithdrawalsQueries,
  ) {}

  /** Payouts of profit, newest first. */
  @Get('withdrawals')
  list(@Query() page: Page) {
    return this.queries.ofProfit(page);
  }

  /** Requests a payout of profit. */
  @Post('withdraw')
  @HttpCode(200)
  @UseGuards(SteppedUp)
  withdraw(@Metadata() metadata: CommandMetadata, @Body() payout: ProfitWithdrawDto) {
    return this.commands.execute(new RequestProfitWithdrawal({ payout: { ...payout } }, metadata));
  }

  /** Settles a payout of profit: completed or returned. */
  @Put('withdrawals/:id')
  @UseGuards(SteppedUp)
  update(@Metadata() metadata: CommandMetadata, @Param('id') withdrawalId: string, @Body() body: UpdateWithdrawalDto) {
    return this.commands.execute(new UpdateProfitWithdrawal({ withdrawalId, update: updateOf(body) }, metadata));
  }
}
