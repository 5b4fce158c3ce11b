import { Body, Controller, Get, HttpCode, Param, Post, UseGuards, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { PaymentStatusResponse } from '../../../contracts/http/payments.js';
import { actorOf } from '../http/actor.js';
import { AfterPositionInterceptor } from '../http/after-position.interceptor.js';
import { CommandId } from '../http/command-id.js';
import { CurrentSession, type GamerOfSession, LoggedIn, own } from '../http/session.js';
import { LoggedInToBuy, LoggedInToDeposit } from './logged-in-to-pay.js';
import { CreateDepositInvoiceDto, CreateInvoiceDto } from './payments.dto.js';
import { OpenPayment } from './payments.handlers.js';
import { PaymentsQueries } from './payments.queries.js';

@Controller('api')
export class PaymentsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: PaymentsQueries,
  ) {}

  /** Opens an invoice for tokens, to be paid in a coin; 20 invoices an hour. */
  @Post('create-invoice')
  @HttpCode(200)
  @UseGuards(LoggedInToBuy)
  createInvoice(
    @CurrentSession() session: GamerOfSession,
    @CommandId() commandId: string,
    @Body() { quantity, currency, userId }: CreateInvoiceDto,
  ) {
    own(session, userId);
    const wanted = { purpose: 'tokens' as const, quantity, cryptoType: currency };
    return this.commands.execute(new OpenPayment(wanted, { actor: actorOf(session), commandId }));
  }

  /** Opens an invoice for a deposit; the fee comes on top; 20 invoices an hour. */
  @Post('create-deposit-invoice')
  @HttpCode(200)
  @UseGuards(LoggedInToDeposit)
  createDepositInvoice(
    @CurrentSession() session: GamerOfSession,
    @CommandId() commandId: string,
    @Body() { amount, currency, userId }: CreateDepositInvoiceDto,
  ) {
    own(session, userId);
    const wanted = { purpose: 'deposit' as const, dollars: amount, cryptoType: currency };
    return this.commands.execute(new OpenPayment(wanted, { actor: actorOf(session), commandId }));
  }

  /** How far one’s own invoice has come; the admin sees everyone’s. */
  @Get('payments/:orderId')
  @UseGuards(LoggedIn)
  @UseInterceptors(AfterPositionInterceptor)
  status(@CurrentSession() session: GamerOfSession, @Param('orderId') orderId: string): Promise<PaymentStatusResponse> {
    return this.queries.status(orderId, session);
  }
}
