import { Body, Controller, Get, HttpCode, Param, Post, Put, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { AdminProfits, ProfitWithdrawal } from '../../../contracts/http/withdrawals.js';
import { LIST_PAGE_SIZE } from '../../../contracts/limits.js';
import { actorOf } from '../http/actor.js';
import { AfterPositionInterceptor } from '../http/after-position.interceptor.js';
import { CommandId } from '../http/command-id.js';
import { PageQuery } from '../http/page.js';
import { AdminOnly, CurrentSession, type GamerOfSession } from '../http/session.js';
import { ProfitWithdrawDto, UpdateWithdrawalDto } from '../withdrawals/withdrawals.dto.js';
import { RequestWithdrawal, UpdateWithdrawal } from '../withdrawals/withdrawals.handlers.js';
import { WithdrawalsQueries } from '../withdrawals/withdrawals.queries.js';
import { ProfitsQueries } from './profits.queries.js';

/** The admin's own two cents a token (specification §5, profit withdrawal request). */
@Controller('api/admin/profits')
@UseGuards(AdminOnly)
@UseInterceptors(AfterPositionInterceptor)
export class ProfitsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: ProfitsQueries,
    private readonly withdrawals: WithdrawalsQueries,
  ) {}

  /** What the house earned, and what it holds apart. */
  @Get()
  profits(): Promise<AdminProfits> {
    return this.queries.profits();
  }

  /** Payouts of profit, newest first. */
  @Get('withdrawals')
  list(@Query() { page, pageSize = LIST_PAGE_SIZE }: PageQuery): Promise<ProfitWithdrawal[]> {
    return this.withdrawals.ofProfit({ page, pageSize });
  }

  /** Asks for profit to be paid out. */
  @Post('withdraw')
  @HttpCode(200)
  withdraw(@CurrentSession() session: GamerOfSession, @CommandId() commandId: string, @Body() body: ProfitWithdrawDto) {
    return this.commands.execute(new RequestWithdrawal('profit', { ...body }, { actor: actorOf(session), commandId }));
  }

  /** Settles a payout of profit: completed or returned. */
  @Put('withdrawals/:id')
  update(
    @CurrentSession() session: GamerOfSession,
    @CommandId() commandId: string,
    @Param('id') id: string,
    @Body() { status, adminNotes, txid }: UpdateWithdrawalDto,
  ) {
    const update = { status, adminNotes: adminNotes || null, txid: txid || null };
    return this.commands.execute(new UpdateWithdrawal('profit', id, update, { actor: actorOf(session), commandId }));
  }
}
