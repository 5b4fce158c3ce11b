import { Body, Controller, Get, HttpCode, Post, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { CommandMetadata } from '../../../../domain/ledger/ledger-commands.js';
import { Page } from '../../http/page.js';
import { AfterPositionInterceptor } from '../../http/position.interceptors.js';
import { adminOr, Metadata, SteppedUp } from '../../http/session.js';
import { LookUpPayment } from './look-up-payment.handler.js';
import { DecideDeposit } from './payments.commands.js';
import { ApproveDepositDto, LookupPaymentDto, RejectDepositDto } from './payments.dto.js';
import { PaymentsQueries } from './payments.queries.js';

@Controller('api/admin')
@UseGuards(adminOr('money'))
export class AdminDepositsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: PaymentsQueries,
  ) {}

  /** Payments that were parked for review and wait for the admin, newest first. */
  @Get('deposits/pending')
  @UseInterceptors(AfterPositionInterceptor)
  pending(@Query() page: Page) {
    return this.queries.pending(page);
  }

  /** Credited deposits, newest first. */
  @Get('deposits/approved')
  @UseInterceptors(AfterPositionInterceptor)
  approved(@Query() page: Page) {
    return this.queries.approved(page);
  }

  /** Rejected payments, newest first. */
  @Get('deposits/rejected')
  @UseInterceptors(AfterPositionInterceptor)
  rejected(@Query() page: Page) {
    return this.queries.rejected(page);
  }

  /** Payments that changed at the gateway after their verdict, such as a refund or more money. Latest first. */
  @Get('payments/changed')
  @UseInterceptors(AfterPositionInterceptor)
  changed(@Query() page: Page) {
    return this.queries.changed(page);
  }

  /** Looks a payment up at the gateway and credits it to its gamer, or to the given GamerTag; to another than its gamer only with a reason. */
  @Post('lookup-payment')
  @UseGuards(SteppedUp)
  @HttpCode(200)
  lookUp(@Metadata() metadata: CommandMetadata, @Body() body: LookupPaymentDto) {
    const { paymentId, gamerTag = null, reason, change = null } = body;
    return this.commands.execute(new LookUpPayment({ paymentId, gamerTag, reason: reason || null, change }, metadata));
  }

  /** Credits a parked payment, unless it changed at the gateway since the admin saw it. */
  @Post('approve-deposit')
  @UseGuards(SteppedUp)
  @HttpCode(200)
  approve(@Metadata() metadata: CommandMetadata, @Body() { depositId, change: seen = null }: ApproveDepositDto) {
    const decision = { type: 'ApproveDeposit', depositId, gamerId: null } as const;
    return this.commands.execute(new DecideDeposit({ decision, seen }, metadata));
  }

  /** Rejects a parked payment for good, without crediting it, unless it changed since the admin saw it. */
  @Post('reject-deposit')
  @HttpCode(200)
  reject(@Metadata() metadata: CommandMetadata, @Body() body: RejectDepositDto) {
    const { depositId, adminNotes, change: seen = null } = body;
    const decision = { type: 'RejectDeposit', depositId, adminNotes: adminNotes || null } as const;
    return this.commands.execute(new DecideDeposit({ decision, seen }, metadata));
  }
}
