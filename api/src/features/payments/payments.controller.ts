import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, UseGuards, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import type { IpnResponse, OpenInvoice } from '../../../../contracts/http/payments.js';
import type { CommandMetadata } from '../../../../domain/ledger/ledger-commands.js';
import { Page } from '../../http/page.js';
import { AfterPositionInterceptor } from '../../http/position.interceptors.js';
import {
  CurrentSession,
  LoggedIn,
  loggedInOr,
  Metadata,
  mustBeOwn,
  mustBeOwnOrAdmin,
  type SessionGamer,
} from '../../http/session.js';
import { Clock } from '../../platform/clock.js';
import { CALLBACK_PATH } from '../../platform/config.js';
import { CallbackInbox } from './callback-inbox.js';
import { PaymentGateway } from './gateway/payment-gateway.js';
import { InvoiceService } from './invoice.service.js';
import { CreateInvoice } from './payments.commands.js';
import { CreateDepositInvoiceDto, CreateInvoiceDto } from './payments.dto.js';
import { PaymentsQueries } from './payments.queries.js';

@Controller('api')
export class PaymentsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: PaymentsQueries,
    private readonly invoices: InvoiceService,
    private readonly clock: Clock,
  ) {}

  /** Creates an invoice for tokens, to be paid in a coin. At most 20 invoices an hour. */
  @Post('create-invoice')
  @HttpCode(200)
  @UseGuards(loggedInOr('login-to-create-invoice'))
  createInvoice(@Metadata() metadata: CommandMetadata, @Body() { quantity, currency, userId }: CreateInvoiceDto) {
    mustBeOwn(metadata.actor.id, userId);
    const request = { purpose: 'tokens' as const, quantity, cryptoType: currency };
    return this.commands.execute(new CreateInvoice({ request }, metadata));
  }

  /** Creates an invoice for a deposit, with the fee on top. At most 20 invoices an hour. */
  @Post('create-deposit-invoice')
  @HttpCode(200)
  @UseGuards(loggedInOr('login-to-create-deposit'))
  createDepositInvoice(
    @Metadata() metadata: CommandMetadata,
    @Body() { amount, currency, userId }: CreateDepositInvoiceDto,
  ) {
    mustBeOwn(metadata.actor.id, userId);
    const request = { purpose: 'deposit' as const, dollars: amount, cryptoType: currency };
    return this.commands.execute(new CreateInvoice({ request }, metadata));
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
  @UseInterceptors(AfterPositionInterceptor)
  async openInvoices(@CurrentSession() session: SessionGamer, @Param('id') id: string): Promise<OpenInvoice[]> {
    mustBeOwnOrAdmin(session, id);
    return this.invoices.withStatus(await this.queries.openOrders(id, this.clock.now()));
  }

  /** The gamer’s own payments that wait for a review, newest first; the admin reads every gamer’s. */
  @Get('gamer/:id/payments-in-review')
  @UseGuards(LoggedIn)
  @UseInterceptors(AfterPositionInterceptor)
  inReview(@CurrentSession() session: SessionGamer, @Param('id') id: string, @Query() page: Page) {
    mustBeOwnOrAdmin(session, id);
    return this.queries.inReview(id, page);
  }

  /** The status of the gamer’s own invoice; the admin sees every invoice. */
  @Get('payments/:orderId')
  @UseGuards(LoggedIn)
  @UseInterceptors(AfterPositionInterceptor)
  status(@CurrentSession() session: SessionGamer, @Param('orderId') orderId: string) {
    return this.queries.status(orderId, session);
  }
}

/** Called by the gateway, which has no session and no origin: the signature alone proves the sender. */
@Controller()
export class CallbacksController {
  constructor(
    private readonly inbox: CallbackInbox,
    private readonly gateway: PaymentGateway,
  ) {}

  /** The payment gateway’s callback, proved by its signature. */
  @Post(CALLBACK_PATH)
  @HttpCode(200)
  async receive(@Req() request: FastifyRequest): Promise<IpnResponse> {
    // The raw bytes (see http/body.ts), because the signature covers exactly them. Without a body there is no Buffer.
    const body: unknown = request.body;
    const signature = request.headers[this.gateway.signatureHeader.toLowerCase()];
    await this.inbox.receive(
      Buffer.isBuffer(body) ? body : Buffer.alloc(0),
      typeof signature === 'string' ? signature : undefined,
    );
    return { received: true };
  }
}
