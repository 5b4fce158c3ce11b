import { Body, Controller, Get, Param, Post, Put, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import {
  type OpenTicketRequest,
  TICKET_STATUSES,
  type TicketStatus,
  type UpdateTicketRequest,
} from '../../../../contracts/http/support.js';
import {
  ADMIN_NOTES_MAX_LENGTH,
  TICKET_MESSAGE_MAX_LENGTH,
  TICKET_SUBJECT_MAX_LENGTH,
} from '../../../../contracts/limits.js';
import type { CommandMetadata } from '../../../../domain/ledger/ledger-commands.js';
import { Page } from '../../http/page.js';
import { AfterPositionInterceptor, ReadsViews } from '../../http/position.interceptors.js';
import { adminOr, CurrentSession, LoggedIn, Metadata, mustBeOwn, type SessionGamer } from '../../http/session.js';
import { optionalText, refuseAs, requiredText, trimmed } from '../../http/validation.js';
import { NamesWhoChanged } from '../gamers/who-changed.queries.js';
import { OpenTicket, UpdateTicket } from './support.commands.js';
import { TicketsQueries } from './tickets.queries.js';

/** `?status=&page=&pageSize=` */
export class TicketsQuery extends Page {
  @IsOptional()
  @IsIn(TICKET_STATUSES, { message: `status must be ${TICKET_STATUSES.join(' or ')}` })
  status?: TicketStatus;
}

export class OpenTicketDto implements OpenTicketRequest {
  @IsString(refuseAs('not-logged-in'))
  gamerId!: string;

  @MaxLength(TICKET_SUBJECT_MAX_LENGTH, refuseAs('ticket-subject-too-long'))
  @requiredText('ticket-fields-required')
  @trimmed
  subject!: string;

  @MaxLength(TICKET_MESSAGE_MAX_LENGTH, refuseAs('ticket-message-too-long'))
  @requiredText('ticket-fields-required')
  @trimmed
  message!: string;
}

export class UpdateTicketDto implements UpdateTicketRequest {
  @IsIn(TICKET_STATUSES, refuseAs('invalid-ticket-status'))
  status!: TicketStatus;

  @optionalText(ADMIN_NOTES_MAX_LENGTH, 'notes-too-long', 'Notes must be text')
  adminNotes?: string;
}

@Controller('api')
@UseInterceptors(AfterPositionInterceptor)
@ReadsViews('tickets', 'gamers')
export class SupportController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: TicketsQueries,
  ) {}

  /** The gamer’s own tickets, newest first. */
  @Get('support/tickets')
  @UseGuards(LoggedIn)
  mine(@CurrentSession() session: SessionGamer, @Query() page: Page) {
    return this.queries.of(session.gamerId, page);
  }

  /** Opens a ticket for the logged-in gamer. */
  @Post('support/tickets')
  @UseGuards(LoggedIn)
  open(@Metadata() metadata: CommandMetadata, @Body() { gamerId, subject, message }: OpenTicketDto) {
    mustBeOwn(metadata.actor.id, gamerId);
    return this.commands.execute(new OpenTicket({ subject, message }, metadata));
  }

  /** All tickets, newest first, filtered by `status`. */
  @Get('admin/support/tickets')
  @UseGuards(adminOr('support'))
  all(@Query() query: TicketsQuery) {
    return this.queries.all(query, query.status);
  }

  /** Closes or reopens a ticket, with or without notes, or writes notes alone; its gamer reads them. */
  @Put('admin/support/tickets/:id')
  @UseInterceptors(NamesWhoChanged)
  @UseGuards(adminOr('support'))
  update(
    @Metadata() metadata: CommandMetadata,
    @Param('id') id: string,
    @Body() { status, adminNotes }: UpdateTicketDto,
  ) {
    return this.commands.execute(
      new UpdateTicket({ ticketId: id, update: { status, adminNotes: adminNotes || null } }, metadata),
    );
  }
}
