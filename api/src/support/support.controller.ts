import { Body, Controller, Get, Param, Post, Put, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { AdminTicket, SupportTicket } from '../../../contracts/http/support.js';
import { LIST_PAGE_SIZE } from '../../../contracts/limits.js';
import { actorOf } from '../http/actor.js';
import { AfterPositionInterceptor } from '../http/after-position.interceptor.js';
import { CommandId } from '../http/command-id.js';
import { PageQuery } from '../http/page.js';
import { AdminOnly, CurrentSession, type GamerOfSession, LoggedIn, own } from '../http/session.js';
import { OpenTicketDto, TicketsQuery, UpdateTicketDto } from './support.dto.js';
import { OpenTicket, UpdateTicket } from './support.handlers.js';
import { TicketsQueries } from './tickets.queries.js';

@Controller('api')
@UseInterceptors(AfterPositionInterceptor)
export class SupportController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: TicketsQueries,
  ) {}

  /** One's own tickets, newest first. */
  @Get('support/tickets')
  @UseGuards(LoggedIn)
  mine(
    @CurrentSession() session: GamerOfSession,
    @Query() { page, pageSize = LIST_PAGE_SIZE }: PageQuery,
  ): Promise<SupportTicket[]> {
    return this.queries.of(session.gamerId, { page, pageSize });
  }

  /** Opens a ticket in one's own name. */
  @Post('support/tickets')
  @UseGuards(LoggedIn)
  open(
    @CurrentSession() session: GamerOfSession,
    @CommandId() commandId: string,
    @Body() { gamerId, subject, message }: OpenTicketDto,
  ) {
    own(session, gamerId);
    return this.commands.execute(new OpenTicket(subject, message, { actor: actorOf(session), commandId }));
  }

  /** Everyone's tickets, newest first; `status` tells which. */
  @Get('admin/support/tickets')
  @UseGuards(AdminOnly)
  all(@Query() { status, page, pageSize = LIST_PAGE_SIZE }: TicketsQuery): Promise<AdminTicket[]> {
    return this.queries.all({ page, pageSize }, status);
  }

  /** Closes or reopens a ticket, with or without notes, or writes notes alone; its gamer reads them. */
  @Put('admin/support/tickets/:id')
  @UseGuards(AdminOnly)
  update(
    @CurrentSession() session: GamerOfSession,
    @CommandId() commandId: string,
    @Param('id') id: string,
    @Body() { status, adminNotes }: UpdateTicketDto,
  ) {
    const update = { status, adminNotes: adminNotes || null };
    return this.commands.execute(new UpdateTicket(id, update, { actor: actorOf(session), commandId }));
  }
}
