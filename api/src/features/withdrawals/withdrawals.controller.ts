import { Body, Controller, Get, Module, Param, Put, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { IsIn, IsInt, IsNotEmpty, IsOptional, Min } from 'class-validator';
import { CRYPTO_TYPES, type CryptoType } from '../../../../contracts/crypto.js';
import {
  type SaveWalletRequest,
  type UpdateWithdrawalRequest,
  WITHDRAWALS_LISTED,
  type WithdrawalList,
  type WithdrawRequest,
} from '../../../../contracts/http/withdrawals.js';
import {
  ADMIN_NOTES_MAX_LENGTH,
  MIN_WITHDRAWAL_CENTS,
  WALLET_ADDRESS_MAX_LENGTH,
} from '../../../../contracts/limits.js';
import type { CommandMetadata, WithdrawalUpdate } from '../../../../domain/ledger/ledger-commands.js';
import { AdminOnly, adminOr, LoggedIn, SteppedUp } from '../../http/guards.js';
import { Page } from '../../http/page.js';
import { AfterPositionInterceptor } from '../../http/position.interceptors.js';
import { Metadata, OwnId, OwnIdOrAdmin, PostCommand } from '../../http/session.js';
import { optionalText, refuseAs, trimmedText } from '../../http/validation.js';
import { NamesWhoChanged } from '../gamers/who-changed.queries.js';
import {
  CancelWithdrawal,
  RequestProfitWithdrawal,
  RequestWithdrawal,
  RequestWithdrawalHandler,
  SaveWallet,
  SaveWalletHandler,
  UpdateProfitWithdrawal,
  UpdateWithdrawal,
  UpdateWithdrawalHandler,
} from './withdrawals.commands.js';
import { WithdrawalsQueries } from './withdrawals.queries.js';

const lists = Object.keys(WITHDRAWALS_LISTED) as WithdrawalList[];
const unsupportedCoin = refuseAs('unsupported-coin');
const fieldsRequired = refuseAs('withdrawal-fields-required');
const profitFieldsRequired = refuseAs('profit-fields-required');
const invalidAmount = refuseAs('invalid-withdrawal-amount');
const belowMinimum = refuseAs('withdrawal-below-minimum');

export class SaveWalletDto implements SaveWalletRequest {
  @IsIn(CRYPTO_TYPES, unsupportedCoin)
  @IsNotEmpty(fieldsRequired)
  cryptoType!: CryptoType;

  @trimmedText('withdrawal-fields-required', WALLET_ADDRESS_MAX_LENGTH, 'wallet-address-too-long')
  walletAddress!: string;
}

export class WithdrawDto extends SaveWalletDto implements WithdrawRequest {
  @Min(MIN_WITHDRAWAL_CENTS, belowMinimum)
  @Min(1, invalidAmount)
  @IsInt(invalidAmount)
  @IsNotEmpty(fieldsRequired)
  amountCents!: number;
}

export class ProfitWithdrawDto implements WithdrawRequest {
  @IsIn(CRYPTO_TYPES, unsupportedCoin)
  @IsNotEmpty(profitFieldsRequired)
  cryptoType!: CryptoType;

  @trimmedText('profit-fields-required', WALLET_ADDRESS_MAX_LENGTH, 'wallet-address-too-long')
  walletAddress!: string;

  @Min(MIN_WITHDRAWAL_CENTS, belowMinimum)
  @IsInt(invalidAmount)
  amountCents!: number;
}

/** `?listed=&page=&pageSize=`: all withdrawals, or those listed as pending or as completed. */
export class WithdrawalsQuery extends Page {
  @IsOptional()
  @IsIn(lists, { message: `listed must be ${lists.join(' or ')}` })
  listed?: WithdrawalList;
}

export class UpdateWithdrawalDto implements UpdateWithdrawalRequest {
  @IsIn(['processing', 'completed', 'returned'], refuseAs('invalid-withdrawal-status'))
  status!: 'processing' | 'completed' | 'returned';

  @optionalText(ADMIN_NOTES_MAX_LENGTH, 'notes-too-long', 'Notes must be text')
  adminNotes?: string;

  @optionalText(WALLET_ADDRESS_MAX_LENGTH, 'transaction-id-too-long', 'The transaction id must be text')
  txid?: string;
}

/** Notes or a transaction id left empty count as absent. */
const updateOf = ({ status, adminNotes, txid }: UpdateWithdrawalDto): WithdrawalUpdate => ({
  status,
  adminNotes: adminNotes || null,
  txid: txid || null,
});

@Controller('api')
@UseInterceptors(AfterPositionInterceptor)
export class WithdrawalsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: WithdrawalsQueries,
  ) {}

  /** Requests a payout of the gamer’s own winnings. */
  @PostCommand('gamer/:id/withdraw')
  @UseGuards(LoggedIn)
  withdraw(@Metadata() metadata: CommandMetadata, @OwnId() gamerId: string, @Body() payout: WithdrawDto) {
    return this.commands.execute(new RequestWithdrawal({ gamerId, payout: { ...payout } }, metadata));
  }

  /** Cancels the gamer’s own pending payout: the money comes back to the winnings. */
  @PostCommand('gamer/:id/withdrawals/:withdrawalId/cancel')
  @UseGuards(LoggedIn)
  cancel(@Metadata() metadata: CommandMetadata, @OwnId() gamerId: string, @Param('withdrawalId') withdrawalId: string) {
    return this.commands.execute(new CancelWithdrawal({ gamerId, withdrawalId }, metadata));
  }

  /** A gamer’s own payouts, newest first; the admin reads every gamer’s. */
  @Get('gamer/:id/withdrawals')
  @UseGuards(LoggedIn)
  ofGamer(@OwnIdOrAdmin() id: string, @Query() page: Page) {
    return this.queries.ofGamers(page, { gamerId: id });
  }

  /** The gamer’s own saved wallet addresses, by coin. */
  @Get('gamer/:id/crypto-wallets')
  @UseGuards(LoggedIn)
  wallets(@OwnId() id: string) {
    return this.queries.walletsOf(id);
  }

  /** Saves the gamer’s wallet address for a coin; 20 an hour. */
  @PostCommand('gamer/:id/crypto-wallets')
  @UseGuards(LoggedIn)
  saveWallet(@Metadata() metadata: CommandMetadata, @OwnId() _id: string, @Body() body: SaveWalletDto) {
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
  @PostCommand('withdraw')
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

@Module({
  controllers: [WithdrawalsController, ProfitWithdrawalsController],
  providers: [
    WithdrawalsQueries,
    RequestWithdrawalHandler,
    RequestProfitWithdrawal.Handler,
    CancelWithdrawal.Handler,
    UpdateWithdrawalHandler,
    UpdateProfitWithdrawal.Handler,
    SaveWalletHandler,
  ],
  exports: [WithdrawalsQueries],
})
export class WithdrawalsModule {}
