import { Body, Controller, Get, Headers, Logger, Module, Param, Query, Req, UseGuards } from '@nestjs/common';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { CRYPTO_TYPES, type CryptoType } from '../../../../contracts/crypto.js';
import type * as deposits from '../../../../contracts/http/deposits.js';
import type * as http from '../../../../contracts/http/payments.js';
import * as limits from '../../../../contracts/limits.js';
import type { CommandMetadata } from '../../../../domain/ledger/ledger-commands.js';
import { adminOr, LoggedIn, loggedInOr, SteppedUp } from '../../http/guards.js';
import { Page } from '../../http/page.js';
import { ReadsViews } from '../../http/position.interceptors.js';
import { CurrentGamer, Metadata, mustBeOwn, OwnIdOrAdmin, PostCommand, type SessionGamer } from '../../http/session.js';
import {
  oneOf,
  optionalNotes,
  optionalReason,
  optionalText,
  refuseAs,
  requiredText,
  text,
  trimmedText,
  wholeNumber,
} from '../../http/validation.js';
import { Clock } from '../../platform/clock.js';
import { CALLBACK_PATH, Config } from '../../platform/config.js';
import { SIGNATURE_HEADER } from './gateway/callback-signature.js';
import { NowPaymentsGateway } from './gateway/nowpayments.gateway.js';
import { absentGateway, PaymentGateway } from './gateway/payment-gateway.js';
import { CallbackInbox, Poller } from './incoming-payments.js';
import { InvoiceService } from './invoice.service.js';
import { ApproveDeposit, PaymentDecisions, RejectDeposit } from './payment-decisions.js';
import { PaymentPollsStore } from './payment-polls.store.js';
import { PaymentsQueries } from './payments.queries.js';
import { PaymentLog, Settlement } from './settlement.js';

const invalidDeposit = refuseAs('invalid-deposit-amount');

/** The payment's `change` as the admin saw it; absent for none. With another one the decision is refused. */
const optionalChange = optionalText(limits.REASON_MAX_LENGTH, 'reason-too-long', 'The change must be text');

// The decorator nearest to a property is checked first.

export class CreateInvoiceDto implements http.CreateInvoiceRequest {
  @wholeNumber(1, limits.MAX_TOKENS_PER_PURCHASE, 'invalid-quantity', 'too-many-tokens') quantity!: number;
  @oneOf(CRYPTO_TYPES, 'unsupported-coin') currency!: CryptoType;
  @text('login-to-create-invoice') userId!: string;
}

export class CreateDepositInvoiceDto implements http.CreateDepositInvoiceRequest {
  @Max(limits.MAX_DEPOSIT_DOLLARS, invalidDeposit)
  @IsInt(invalidDeposit)
  @Min(limits.MIN_DEPOSIT_DOLLARS, refuseAs('deposit-below-minimum'))
  amount!: number;

  @oneOf(CRYPTO_TYPES, 'unsupported-coin') currency!: CryptoType;
  @text('login-to-create-deposit') userId!: string;
}

export class LookupPaymentDto implements deposits.LookupPaymentRequest {
  @trimmedText('payment-id-required', 64, 'payment-not-found') paymentId!: string;

  @IsOptional()
  @trimmedText('gamer-tag-required', 64, 'gamer-not-found')
  gamerTag?: string;

  @optionalReason reason?: string;
  @optionalChange change?: string | null;
}

export class ApproveDepositDto {
  @requiredText('deposit-not-found', 64) depositId!: string;
  @optionalChange change?: string | null;
}

export class RejectDepositDto extends ApproveDepositDto {
  @optionalNotes adminNotes?: string;
}

@Controller('api')
export class PaymentsController {
  constructor(
    private readonly queries: PaymentsQueries,
    private readonly invoices: InvoiceService,
    private readonly clock: Clock,
  ) {}

  /** Creates an invoice for tokens, to be paid in a coin. At most 20 invoices an hour. */
  @PostCommand('create-invoice')
  @UseGuards(loggedInOr('login-to-create-invoice'))
  createInvoice(@Metadata() metadata: CommandMetadata, @Body() { quantity, currency, userId }: CreateInvoiceDto) {
    mustBeOwn(metadata.actor.id, userId);
    return this.invoices.create({ purpose: 'tokens', quantity, cryptoType: currency }, metadata);
  }

  /** Creates an invoice for a deposit, with the fee on top. At most 20 invoices an hour. */
  @PostCommand('create-deposit-invoice')
  @UseGuards(loggedInOr('login-to-create-deposit'))
  createDepositInvoice(@Metadata() metadata: CommandMetadata, @Body() body: CreateDepositInvoiceDto) {
    mustBeOwn(metadata.actor.id, body.userId);
    return this.invoices.create({ purpose: 'deposit', dollars: body.amount, cryptoType: body.currency }, metadata);
  }

  /** The smallest payment that the gateway accepts in each coin. It changes with the network’s fees. */
  @Get('coin-minimums')
  @UseGuards(LoggedIn)
  coinMinimums() {
    return this.invoices.coinMinimums();
  }

  /** The gamer’s own invoices that may still be paid or are on their way, newest first; the admin reads every gamer’s. */
  @Get('gamer/:id/open-invoices')
  @UseGuards(LoggedIn)
  @ReadsViews()
  async openInvoices(@OwnIdOrAdmin() id: string): Promise<http.OpenInvoice[]> {
    return this.invoices.withStatus(await this.queries.openInvoiceStatuses(id, this.clock.now()));
  }

  /** The gamer’s own payments that wait for a review or were rejected lately, newest first; the admin reads every gamer’s. */
  @Get('gamer/:id/payments-in-review')
  @UseGuards(LoggedIn)
  @ReadsViews()
  inReview(@OwnIdOrAdmin() id: string, @Query() page: Page) {
    return this.queries.inReview(id, this.clock.now(), page);
  }

  /** The status of the gamer’s own invoice; the admin sees every invoice. */
  @Get('payments/:orderId')
  @UseGuards(LoggedIn)
  @ReadsViews()
  status(@CurrentGamer() gamer: SessionGamer, @Param('orderId') orderId: string) {
    return this.queries.status(orderId, gamer);
  }
}

@Controller('api/admin')
@UseGuards(adminOr('money'))
@ReadsViews()
export class AdminDepositsController {
  constructor(
    private readonly decisions: PaymentDecisions,
    private readonly queries: PaymentsQueries,
  ) {}

  /** Payments that were parked for review and wait for the admin, newest first. */
  @Get('deposits/pending')
  pending(@Query() page: Page) {
    return this.queries.pending(page);
  }

  /** Credited deposits, newest first. */
  @Get('deposits/approved')
  approved(@Query() page: Page) {
    return this.queries.approved(page);
  }

  /** Rejected payments, newest first. */
  @Get('deposits/rejected')
  rejected(@Query() page: Page) {
    return this.queries.rejected(page);
  }

  /** Payments that changed at the gateway after their verdict, such as a refund or more money. Latest first. */
  @Get('payments/changed')
  changed(@Query() page: Page) {
    return this.queries.changed(page);
  }

  /** Looks a payment up at the gateway and credits it to its gamer, or to the given GamerTag; to another than its gamer only with a reason. */
  @PostCommand('lookup-payment')
  @UseGuards(SteppedUp)
  lookUp(@Metadata() metadata: CommandMetadata, @Body() body: LookupPaymentDto) {
    return this.decisions.lookUp(body, metadata);
  }

  /** Credits a parked payment, unless it changed at the gateway since the admin saw it. */
  @PostCommand('approve-deposit')
  @UseGuards(SteppedUp)
  approve(@Metadata() metadata: CommandMetadata, @Body() { depositId, change: expected = null }: ApproveDepositDto) {
    return this.decisions.decide(new ApproveDeposit({ depositId, gamerId: null }, metadata), expected);
  }

  /** Rejects a parked payment for good, without crediting it, unless it changed since the admin saw it. */
  @PostCommand('reject-deposit')
  reject(@Metadata() metadata: CommandMetadata, @Body() body: RejectDepositDto) {
    const { depositId, adminNotes, change: expected = null } = body;
    return this.decisions.decide(new RejectDeposit({ depositId, adminNotes: adminNotes || null }, metadata), expected);
  }
}

/** Called by the gateway, which has no session and no origin: the signature alone proves the sender. */
@Controller()
export class CallbacksController {
  constructor(private readonly inbox: CallbackInbox) {}

  /** The payment gateway’s callback, proved by its signature. */
  @PostCommand(CALLBACK_PATH)
  async receive(
    @Req() { body }: FastifyRequest,
    @Headers(SIGNATURE_HEADER) signature?: string,
  ): Promise<http.IpnResponse> {
    // The raw bytes (see http/body.ts), because the signature covers exactly them. Without a body there is no Buffer.
    await this.inbox.receive(Buffer.isBuffer(body) ? body : Buffer.alloc(0), signature);
    return { received: true };
  }
}

function createGateway({ payments, linkOrigin }: Config): PaymentGateway {
  if (payments !== null) return new NowPaymentsGateway({ ...payments, baseUrl: payments.apiUrl, linkOrigin });
  new Logger('payments').warn('PAYMENTS_API_URL is not set: gamers cannot pay in');
  return absentGateway;
}

@Module({
  controllers: [PaymentsController, CallbacksController, AdminDepositsController],
  providers: [
    { provide: PaymentGateway, useFactory: createGateway, inject: [Config] },
    PaymentsQueries,
    PaymentLog,
    PaymentPollsStore,
    InvoiceService,
    Settlement,
    PaymentDecisions,
    ApproveDeposit.Handler,
    RejectDeposit.Handler,
    CallbackInbox,
    Poller,
  ],
  exports: [CallbackInbox, PaymentGateway, PaymentsQueries, Settlement],
})
export class PaymentsModule {
  constructor(poller: Poller, config: Config) {
    if (config.payments !== null) poller.start();
  }
}
