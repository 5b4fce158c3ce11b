import { Body, Controller, Get, HttpCode, Post, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type {
  ApprovedDeposit,
  ChangedPayment,
  PendingDeposit,
  RejectedDeposit,
} from '../../../contracts/http/payments.js';
import { LIST_PAGE_SIZE } from '../../../contracts/limits.js';
import { actorOf } from '../http/actor.js';
import { AfterPositionInterceptor } from '../http/after-position.interceptor.js';
import { CommandId } from '../http/command-id.js';
import { PageQuery } from '../http/page.js';
import { AdminOnly, CurrentSession, type GamerOfSession } from '../http/session.js';
import { ApproveDeposit, RejectDeposit } from './admin-deposits.handlers.js';
import { DepositsQueries } from './deposits.queries.js';
import { GatewayPaymentsQueries } from './gateway-payments.queries.js';
import { LookUpPayment } from './look-up-payment.handler.js';
import { ApproveDepositDto, LookupPaymentDto, RejectDepositDto } from './payments.dto.js';

@Controller('api/admin')
@UseGuards(AdminOnly)
export class AdminDepositsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: DepositsQueries,
    private readonly gatewayPayments: GatewayPaymentsQueries,
  ) {}

  /** Payments that arrived and wait for the admin, newest first. */
  @Get('deposits/pending')
  @UseInterceptors(AfterPositionInterceptor)
  pending(@Query() { page, pageSize = LIST_PAGE_SIZE }: PageQuery): Promise<PendingDeposit[]> {
    return this.queries.pending({ page, pageSize });
  }

  /** Credited deposits, newest first. */
  @Get('deposits/approved')
  @UseInterceptors(AfterPositionInterceptor)
  approved(@Query() { page, pageSize = LIST_PAGE_SIZE }: PageQuery): Promise<ApprovedDeposit[]> {
    return this.queries.approved({ page, pageSize });
  }

  /** Payments that were put aside for good, newest first. */
  @Get('deposits/rejected')
  @UseInterceptors(AfterPositionInterceptor)
  rejected(@Query() { page, pageSize = LIST_PAGE_SIZE }: PageQuery): Promise<RejectedDeposit[]> {
    return this.queries.rejected({ page, pageSize });
  }

  /** Payments that the gateway says something else of since they were acted on: a refund, more money. Latest first. */
  @Get('payments/changed')
  @UseInterceptors(AfterPositionInterceptor)
  changed(@Query() { page, pageSize = LIST_PAGE_SIZE }: PageQuery): Promise<ChangedPayment[]> {
    return this.gatewayPayments.changed({ page, pageSize });
  }

  /** Looks a payment up at the gateway and credits it, to whom it belongs or to the GamerTag given. */
  @Post('lookup-payment')
  @HttpCode(200)
  lookUp(
    @CurrentSession() session: GamerOfSession,
    @CommandId() commandId: string,
    @Body() { paymentId, gamerTag }: LookupPaymentDto,
  ) {
    const by = { actor: actorOf(session), commandId };
    return this.commands.execute(new LookUpPayment(paymentId, gamerTag ?? null, by));
  }

  /** Credits a waiting payment. */
  @Post('approve-deposit')
  @HttpCode(200)
  approve(
    @CurrentSession() session: GamerOfSession,
    @CommandId() commandId: string,
    @Body() { depositId }: ApproveDepositDto,
  ) {
    return this.commands.execute(new ApproveDeposit(depositId, { actor: actorOf(session), commandId }));
  }

  /** Puts a waiting payment aside for good, without crediting it. */
  @Post('reject-deposit')
  @HttpCode(200)
  reject(
    @CurrentSession() session: GamerOfSession,
    @CommandId() commandId: string,
    @Body() { depositId, adminNotes }: RejectDepositDto,
  ) {
    const by = { actor: actorOf(session), commandId };
    return this.commands.execute(new RejectDeposit(depositId, adminNotes || null, by));
  }
}
