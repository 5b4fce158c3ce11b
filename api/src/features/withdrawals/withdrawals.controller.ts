import { applyDecorators, Body, Controller, Get, Module, Param, Put, Query, UseGuards } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsInt,
  IsNotEmpty,
  IsString,
  MaxLength,
} from 'class-validator';
import { CRYPTO_TYPES, type CryptoType } from '../../../../contracts/crypto.js';
import type { GamerEvent } from '../../../../contracts/events/gamer-events.js';
import * as http from '../../../../contracts/http/withdrawals.js';
import {
  MAX_PAYOUTS_PER_BATCH,
  PAYOUT_CODE_MAX_LENGTH,
  WALLET_ADDRESS_MAX_LENGTH,
} from '../../../../contracts/limits.js';
import { formatCents } from '../../../../contracts/money.js';
import { paidScript } from '../../../../contracts/paid-script.js';
import type { PlainRefusalCode } from '../../../../contracts/refusals.js';
import { gamerStream } from '../../../../contracts/streams.js';
import { isWalletAddress } from '../../../../contracts/wallet-address.js';
import type { CommandMetadata, WithdrawalUpdate } from '../../../../domain/ledger/ledger-commands.js';
import { AdminOnly, adminOr, LoggedIn, SteppedUp } from '../../http/guards.js';
import { Page } from '../../http/page.js';
import { messageAt, ReadsViews } from '../../http/position.interceptors.js';
import { RateLimits } from '../../http/rate-limits.store.js';
import { Metadata, OwnId, OwnIdOrAdmin, PostCommand } from '../../http/session.js';
import { oneOf, optionalNotes, optionalOneOf, optionalText, refuseAs, trimmedText } from '../../http/validation.js';
import { dataOf, ledgerCommand, ledgerMessage } from '../../ledger/ledger-command.js';
import { StreamCommands } from '../../ledger/stream-commands.js';
import { Config } from '../../platform/config.js';
import { Refused } from '../../platform/failures.js';
import { AccountMails } from '../gamers/account-mails.js';
import { PaymentsModule } from '../payments/payments.controller.js';
import { PayoutBatches, PayoutOutcomes } from './payout-batches.js';
import { WithdrawalsQueries } from './withdrawals.queries.js';

const RequestWithdrawal = ledgerCommand('RequestWithdrawal', (_, result) => dataOf(result, 'WithdrawalRequested'));
const UpdateWithdrawal = ledgerCommand('UpdateWithdrawal', (_, { events }) => events[0]?.event);
const RequestProfitWithdrawal = ledgerMessage('RequestProfitWithdrawal', ({ request }) => requestedText(request));
const UpdateProfitWithdrawal = ledgerMessage('UpdateProfitWithdrawal', ({ update }) => updatedText(update));
const CancelWithdrawal = ledgerMessage(
  'CancelWithdrawal',
  () => 'The withdrawal is cancelled, and the money is back in your winnings',
);

/** Refuses an address whose checksum is wrong: coins sent to a mistyped address are lost. */
function mustBeWalletAddress({ cryptoType, walletAddress }: http.SaveWalletRequest): void {
  if (!isWalletAddress(cryptoType, walletAddress))
    throw new Refused({ code: 'invalid-wallet-address', parameters: { cryptoType } });
}

const requestedText = ({ amountCents, cryptoType }: http.WithdrawRequest): string =>
  `Withdrawal of ${formatCents(amountCents)} in ${cryptoType} requested. You can cancel it while it is pending.`;

const updatedText = ({ status }: WithdrawalUpdate): string => `The withdrawal is ${status}`;

const lists = Object.keys(http.WITHDRAWALS_LISTED) as http.WithdrawalList[];
const coin = (missing: PlainRefusalCode) =>
  applyDecorators(IsNotEmpty(refuseAs(missing)), oneOf(CRYPTO_TYPES, 'unsupported-coin'));
const address = (missing: PlainRefusalCode) =>
  trimmedText(missing, WALLET_ADDRESS_MAX_LENGTH, 'wallet-address-too-long');

export class SaveWalletDto implements http.SaveWalletRequest {
  @coin('withdrawal-fields-required') cryptoType!: CryptoType;
  @address('withdrawal-fields-required') walletAddress!: string;
}

export class WithdrawDto extends SaveWalletDto implements http.WithdrawRequest {
  @IsInt(refuseAs('invalid-withdrawal-amount'))
  @IsNotEmpty(refuseAs('withdrawal-fields-required'))
  amountCents!: number;
}

export class ProfitWithdrawDto implements http.WithdrawRequest {
  @coin('profit-fields-required') cryptoType!: CryptoType;
  @address('profit-fields-required') walletAddress!: string;

  @IsInt(refuseAs('invalid-withdrawal-amount')) amountCents!: number;
}

export class WithdrawalsQuery extends Page {
  @optionalOneOf(lists, `listed must be ${lists.join(' or ')}`) listed?: http.WithdrawalList;
}

export class UpdateWithdrawalDto implements http.UpdateWithdrawalRequest {
  @oneOf(['processing', 'completed', 'returned'], 'invalid-withdrawal-status')
  status!: 'processing' | 'completed' | 'returned';

  @optionalNotes adminNotes?: string;
  @optionalText(WALLET_ADDRESS_MAX_LENGTH, 'transaction-id-too-long', 'The transaction id must be text')
  txid?: string;
}

const invalidChoice = refuseAs('withdrawals-required');

export class OrderPayoutsDto implements http.OrderPayoutsRequest {
  @ArrayUnique(invalidChoice)
  @MaxLength(64, { ...invalidChoice, each: true })
  @IsString({ ...invalidChoice, each: true })
  @ArrayMaxSize(MAX_PAYOUTS_PER_BATCH, invalidChoice)
  @ArrayMinSize(1, invalidChoice)
  @IsArray(invalidChoice)
  withdrawalIds!: string[];

  @optionalText(PAYOUT_CODE_MAX_LENGTH, 'payout-code-required', 'The code must be text') code?: string;
}

/** Notes or a transaction id left empty count as absent. */
const updateOf = ({ status, adminNotes, txid }: UpdateWithdrawalDto): WithdrawalUpdate => ({
  status,
  adminNotes: adminNotes || null,
  txid: txid || null,
});

@Controller('api')
@ReadsViews()
export class WithdrawalsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: WithdrawalsQueries,
    private readonly streams: StreamCommands,
    private readonly rateLimits: RateLimits,
    private readonly mails: AccountMails,
  ) {}

  /** Requests a withdrawal of the gamer’s own winnings. */
  @PostCommand('gamer/:id/withdraw')
  @UseGuards(LoggedIn)
  async withdraw(@Metadata() metadata: CommandMetadata, @OwnId() gamerId: string, @Body() body: WithdrawDto) {
    const request = { ...body };
    mustBeWalletAddress(request);
    const isNewAddress = await this.queries.isNewAddress(gamerId, request);
    const command = new RequestWithdrawal({ gamerId, request }, metadata);
    const { position, body: event } = await this.commands.execute(command);
    this.mails.withdrawalRequested(event, request.walletAddress, isNewAddress);
    return messageAt(position, requestedText(request));
  }

  /** Cancels the gamer’s own pending withdrawal: the money comes back to the winnings. */
  @PostCommand('gamer/:id/withdrawals/:withdrawalId/cancel')
  @UseGuards(LoggedIn)
  cancel(@Metadata() metadata: CommandMetadata, @OwnId() gamerId: string, @Param('withdrawalId') withdrawalId: string) {
    return this.commands.execute(new CancelWithdrawal({ gamerId, withdrawalId }, metadata));
  }

  /** A gamer’s own withdrawals, newest first; the admin reads every gamer’s. */
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
  async saveWallet(@Metadata() metadata: CommandMetadata, @OwnId() gamerId: string, @Body() body: SaveWalletDto) {
    const { cryptoType, walletAddress } = body;
    mustBeWalletAddress(body);
    await this.rateLimits.count('walletChangesPerGamer', gamerId);
    const saved: GamerEvent = { type: 'WalletSaved', data: { gamerId, cryptoType, walletAddress } };
    const { events, position } = await this.streams.execute<http.CryptoWallets | null, GamerEvent>({
      stream: gamerStream(gamerId),
      // Null before the registration: the stream of a deleted gamer must not start again.
      initial: null,
      evolve: (wallets, { event }) => {
        if (event.type === 'GamerRegistered') return {};
        return event.type === 'WalletSaved'
          ? { ...wallets, [event.data.cryptoType]: event.data.walletAddress }
          : wallets;
      },
      decide: (wallets) => {
        if (wallets === null) return { refusal: { code: 'gamer-not-found' } };
        const before = paidScript(cryptoType, wallets[cryptoType] ?? '');
        return { events: before === paidScript(cryptoType, walletAddress) ? [] : [saved] };
      },
      metadata,
      content: { type: 'SaveWallet', cryptoType, walletAddress },
    });
    if (events.length > 0) this.mails.addressSaved(gamerId, cryptoType, walletAddress);
    return messageAt(position, 'The wallet address is saved');
  }

  /** All withdrawals, newest first; `listed` selects the pending or the settled ones. */
  @Get('admin/withdrawals')
  @UseGuards(adminOr('money'))
  all(@Query() query: WithdrawalsQuery) {
    return this.queries.ofGamers(query, { listed: query.listed });
  }

  /** Sets a withdrawal's status: processing, completed or returned. */
  @Put('admin/withdrawals/:id')
  @UseGuards(adminOr('money'), SteppedUp)
  async update(@Metadata() metadata: CommandMetadata, @Param('id') id: string, @Body() body: UpdateWithdrawalDto) {
    const update = updateOf(body);
    await this.queries.mustBeNewTransaction(update.txid, id);
    const { expectedVersion } = metadata;
    const fields = { withdrawalId: id, update, ...(expectedVersion !== undefined && { expectedVersion }) };
    const { position, body: event } = await this.commands.execute(new UpdateWithdrawal(fields, metadata));
    if (event?.type === 'WithdrawalCompleted' || event?.type === 'WithdrawalReturned')
      this.mails.withdrawalSettled(event);
    return messageAt(position, updatedText(update));
  }

  /** Withdrawals of profit, newest first. */
  @Get('admin/profits/withdrawals')
  @UseGuards(AdminOnly)
  ofProfit(@Query() page: Page) {
    return this.queries.ofProfit(page);
  }

  /** Requests a withdrawal of profit. */
  @PostCommand('admin/profits/withdraw')
  @UseGuards(AdminOnly, SteppedUp)
  withdrawProfit(@Metadata() metadata: CommandMetadata, @Body() request: ProfitWithdrawDto) {
    mustBeWalletAddress(request);
    return this.commands.execute(new RequestProfitWithdrawal({ request: { ...request } }, metadata));
  }

  /** Settles a withdrawal of profit: completed or returned. */
  @Put('admin/profits/withdrawals/:id')
  @UseGuards(AdminOnly, SteppedUp)
  async updateProfit(
    @Metadata() metadata: CommandMetadata,
    @Param('id') withdrawalId: string,
    @Body() body: UpdateWithdrawalDto,
  ) {
    const update = updateOf(body);
    await this.queries.mustBeNewTransaction(update.txid, withdrawalId);
    return this.commands.execute(new UpdateProfitWithdrawal({ withdrawalId, update }, metadata));
  }
}

@Controller('api/admin/payouts')
@UseGuards(adminOr('money'))
export class PayoutsController {
  constructor(
    private readonly batches: PayoutBatches,
    private readonly config: Config,
  ) {}

  /** Whether the gateway makes payouts here. */
  @Get()
  read(): http.PayoutsByGateway {
    return { isOn: this.config.payments?.payoutsByGateway ?? false };
  }

  /** Orders the payouts of withdrawals from the gateway, or enters the code of their batch. */
  @PostCommand('')
  @UseGuards(SteppedUp)
  order(@Metadata() { actor }: CommandMetadata, @Body() { withdrawalIds, code }: OrderPayoutsDto) {
    return this.batches.order(withdrawalIds, code ?? '', actor);
  }
}

@Module({
  imports: [PaymentsModule],
  controllers: [WithdrawalsController, PayoutsController],
  providers: [
    WithdrawalsQueries,
    PayoutBatches,
    PayoutOutcomes,
    RequestWithdrawal.Handler,
    UpdateWithdrawal.Handler,
    RequestProfitWithdrawal.Handler,
    CancelWithdrawal.Handler,
    UpdateProfitWithdrawal.Handler,
  ],
  exports: [WithdrawalsQueries],
})
export class WithdrawalsModule {}
