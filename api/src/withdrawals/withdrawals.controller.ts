import { Body, Controller, Get, HttpCode, Param, Post, Put, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Withdrawal } from '../../../contracts/http/withdrawals.js';
import { LIST_PAGE_SIZE } from '../../../contracts/limits.js';
import { actorOf } from '../http/actor.js';
import { AfterPositionInterceptor } from '../http/after-position.interceptor.js';
import { CommandId } from '../http/command-id.js';
import { PageQuery } from '../http/page.js';
import { AdminOnly, CurrentSession, type GamerOfSession, LoggedIn, own, ownOrAdmin } from '../http/session.js';
import { UpdateWithdrawalDto, WithdrawalsQuery, WithdrawDto } from './withdrawals.dto.js';
import { RequestWithdrawal, UpdateWithdrawal } from './withdrawals.handlers.js';
import { WithdrawalsQueries } from './withdrawals.queries.js';

@Controller('api')
@UseInterceptors(AfterPositionInterceptor)
export class WithdrawalsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: WithdrawalsQueries,
  ) {}

  /** Asks for one’s own winnings to be paid out. */
  @Post('gamer/:id/withdraw')
  @HttpCode(200)
  @UseGuards(LoggedIn)
  withdraw(
    @CurrentSession() session: GamerOfSession,
    @CommandId() commandId: string,
    @Param('id') id: string,
    @Body() body: WithdrawDto,
  ) {
    own(session, id);
    return this.commands.execute(
      new RequestWithdrawal('winnings', { ...body }, { actor: actorOf(session), commandId }),
    );
  }

  /** A gamer’s own payouts, newest first; the admin reads everyone’s. */
  @Get('gamer/:id/withdrawals')
  @UseGuards(LoggedIn)
  ofGamer(
    @CurrentSession() session: GamerOfSession,
    @Param('id') id: string,
    @Query() { page, pageSize = LIST_PAGE_SIZE }: PageQuery,
  ): Promise<Withdrawal[]> {
    ownOrAdmin(session, id);
    return this.queries.ofGamers({ page, pageSize }, { gamerId: id });
  }

  /** Everyone’s payouts, newest first; `listed` tells which, those that wait or those that are settled. */
  @Get('admin/withdrawals')
  @UseGuards(AdminOnly)
  all(@Query() { listed, page, pageSize = LIST_PAGE_SIZE }: WithdrawalsQuery): Promise<Withdrawal[]> {
    return this.queries.ofGamers({ page, pageSize }, { listed });
  }

  /** Settles a payout: processing, completed or returned. */
  @Put('admin/withdrawals/:id')
  @UseGuards(AdminOnly)
  update(
    @CurrentSession() session: GamerOfSession,
    @CommandId() commandId: string,
    @Param('id') id: string,
    @Body() { status, adminNotes, txid }: UpdateWithdrawalDto,
  ) {
    const update = { status, adminNotes: adminNotes || null, txid: txid || null };
    return this.commands.execute(new UpdateWithdrawal('winnings', id, update, { actor: actorOf(session), commandId }));
  }
}
