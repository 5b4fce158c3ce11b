import { Body, Controller, Get, Module, Param, Post, Put, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TicketEvent } from '../../../../contracts/events/gamer-events.js';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import {
  type OpenTicketRequest,
  TICKET_STATUSES,
  type TicketStatus,
  type UpdateTicketRequest,
} from '../../../../contracts/http/support.js';
import type { TicketId } from '../../../../contracts/ids.js';
import {
  ADMIN_NOTES_MAX_LENGTH,
  TICKET_MESSAGE_MAX_LENGTH,
  TICKET_SUBJECT_MAX_LENGTH,
} from '../../../../contracts/limits.js';
import { ticketStream } from '../../../../contracts/streams.js';
import { versionOf } from '../../../../contracts/versions.js';
import type { CommandMetadata } from '../../../../domain/ledger/ledger-commands.js';
import {
  evolveTicket,
  openTicket,
  type TicketState,
  type TicketUpdate,
  updateTicket,
} from '../../../../domain/support.js';
import { adminOr, LoggedIn } from '../../http/guards.js';
import { GamerLimits } from '../../http/limits.store.js';
import { Page } from '../../http/page.js';
import { AfterPositionInterceptor, ReadsViews } from '../../http/position.interceptors.js';
import { CurrentSession, Metadata, mustBeOwn, type SessionGamer } from '../../http/session.js';
import { oneOf, optionalOneOf, optionalText, text, trimmedText } from '../../http/validation.js';
import { derivedId } from '../../ledger/ids.js';
import { type StreamCommand, StreamCommands } from '../../ledger/stream-commands.js';
import { BusCommand, WithPosition } from '../../platform/bus-command.js';
import { Refused } from '../../platform/failures.js';
import { AccountMails } from '../gamers/account-mails.js';
import { NamesWhoChanged } from '../gamers/who-changed.queries.js';
import { TicketsQueries } from './tickets.queries.js';

class OpenTicket extends BusCommand<{ subject: string; message: string }, MessageResponse & { id: TicketId }> {}

class UpdateTicket extends BusCommand<{ ticketId: TicketId; update: TicketUpdate }, MessageResponse> {}

const TICKET_ID = /^[0-9a-z]{20}$/;

const onTicket = (
  ticketId: TicketId,
): Pick<StreamCommand<TicketState, TicketEvent>, 'stream' | 'initial' | 'evolve'> => ({
  stream: ticketStream(ticketId),
  initial: null,
  evolve: (ticket, { event }) => evolveTicket(ticket, event),
});

@CommandHandler(OpenTicket)
class OpenTicketHandler implements ICommandHandler<OpenTicket> {
  constructor(
    private readonly streams: StreamCommands,
    private readonly limits: GamerLimits,
  ) {}

  async execute({ fields: { subject, message }, metadata }: OpenTicket) {
    await this.limits.count('ticket', metadata.actor.id);
    const opened = { ticketId: derivedId(metadata), gamerId: metadata.actor.id, subject, message };
    const { position } = await this.streams.execute<TicketState, TicketEvent>({
      ...onTicket(opened.ticketId),
      decide: (ticket) => openTicket(ticket, opened),
      metadata,
      content: { type: 'OpenTicket', subject, message },
    });
    return new WithPosition(position, { id: opened.ticketId, message: 'Your ticket is open. We will answer it here.' });
  }
}

/** A ticket that is closed without a word is answered too: nothing more will come. */
const isAnswer = ({ type, data }: TicketEvent): boolean =>
  type === 'TicketClosed' || (type !== 'TicketOpened' && data.adminNotes !== null);

@CommandHandler(UpdateTicket)
class UpdateTicketHandler implements ICommandHandler<UpdateTicket> {
  constructor(
    private readonly streams: StreamCommands,
    private readonly mails: AccountMails,
  ) {}

  async execute({ fields: { ticketId, update }, metadata }: UpdateTicket) {
    if (!TICKET_ID.test(ticketId)) throw new Refused('ticket-not-found');
    const { position, events, state } = await this.streams.execute<TicketState, TicketEvent>({
      ...onTicket(ticketId),
      decide: (ticket) => updateTicket(ticket, update),
      version: (ticket) => versionOf(ticket?.status, ticket?.adminNotes),
      metadata,
      content: { type: 'UpdateTicket', ...update },
    });
    if (state && events.some(isAnswer)) this.mails.ticketAnswered(state, metadata.commandId);
    return new WithPosition(position, { message: `The ticket is ${update.status}` });
  }
}

/** `?status=&page=&pageSize=` */
export class TicketsQuery extends Page {
  @optionalOneOf(TICKET_STATUSES, `status must be ${TICKET_STATUSES.join(' or ')}`) status?: TicketStatus;
}

export class OpenTicketDto implements OpenTicketRequest {
  @text('not-logged-in') gamerId!: string;
  @trimmedText('ticket-fields-required', TICKET_SUBJECT_MAX_LENGTH, 'ticket-subject-too-long') subject!: string;
  @trimmedText('ticket-fields-required', TICKET_MESSAGE_MAX_LENGTH, 'ticket-message-too-long') message!: string;
}

export class UpdateTicketDto implements UpdateTicketRequest {
  @oneOf(TICKET_STATUSES, 'invalid-ticket-status') status!: TicketStatus;
  @optionalText(ADMIN_NOTES_MAX_LENGTH, 'notes-too-long', 'Notes must be text') adminNotes?: string;
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
  update(@Metadata() metadata: CommandMetadata, @Param('id') ticketId: string, @Body() body: UpdateTicketDto) {
    const update = { status: body.status, adminNotes: body.adminNotes || null };
    return this.commands.execute(new UpdateTicket({ ticketId, update }, metadata));
  }
}

@Module({
  controllers: [SupportController],
  providers: [TicketsQueries, OpenTicketHandler, UpdateTicketHandler],
})
export class SupportModule {}
