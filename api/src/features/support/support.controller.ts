import { Body, Controller, Get, Module, Param, Post, Put, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import type { TicketEvent } from '../../../../contracts/events/gamer-events.js';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import * as http from '../../../../contracts/http/support.js';
import type { TicketId } from '../../../../contracts/ids.js';
import * as limits from '../../../../contracts/limits.js';
import { ticketStream } from '../../../../contracts/streams.js';
import { versionOf } from '../../../../contracts/versions.js';
import type { CommandMetadata } from '../../../../domain/ledger/ledger-commands.js';
import * as domain from '../../../../domain/support.js';
import { adminOr, LoggedIn } from '../../http/guards.js';
import { Page } from '../../http/page.js';
import { messageAt, ReadsViews, WithPosition } from '../../http/position.interceptors.js';
import { RateLimits } from '../../http/rate-limits.store.js';
import { CurrentGamer, Metadata, mustBeOwn, PostCommand, type SessionGamer } from '../../http/session.js';
import { oneOf, optionalNotes, optionalOneOf, optionalQuery, text, trimmedText } from '../../http/validation.js';
import { derivedId } from '../../ledger/ids.js';
import { StreamCommands } from '../../ledger/stream-commands.js';
import { Clock } from '../../platform/clock.js';
import { AuditModule } from '../audit/audit.controller.js';
import { AuditEvents } from '../audit/audit-events.js';
import { AccountMails } from '../gamers/account-mails.js';
import { ChangedByInterceptor } from '../gamers/changed-by.interceptor.js';
import { PaymentsModule } from '../payments/payments.controller.js';
import { PaymentsQueries } from '../payments/payments.queries.js';
import { PurchasesModule } from '../purchases/purchases.controller.js';
import { PurchasesQueries } from '../purchases/purchases.queries.js';
import { StatementsModule } from '../statements/statements.controller.js';
import { MovementsQuery, Statements } from '../statements/statements.queries.js';
import { TicketsQueries } from './tickets.queries.js';

const onTicket = (ticketId: TicketId) => ({
  stream: ticketStream(ticketId),
  initial: null as domain.TicketState,
  evolve: (ticket: domain.TicketState, { event }: { event: TicketEvent }) => domain.evolveTicket(ticket, event),
});

/** A ticket that is closed without a word is answered too: nothing more will come. */
const isAnswer = ({ type, data }: TicketEvent): boolean =>
  type === 'TicketClosed' || ('adminNotes' in data && data.adminNotes !== null);

export class TicketsQuery extends Page {
  @optionalOneOf(http.TICKET_STATUSES, `status must be ${http.TICKET_STATUSES.join(' or ')}`)
  status?: http.TicketStatus;
  @optionalQuery(limits.QUERY_MAX_LENGTH, 'gamerId must be an id') gamerId?: string;
}

export class OpenTicketDto implements http.OpenTicketRequest {
  @text('not-logged-in') gamerId!: string;
  @trimmedText('ticket-fields-required', limits.TICKET_SUBJECT_MAX_LENGTH, 'ticket-subject-too-long') subject!: string;
  @trimmedText('ticket-fields-required', limits.TICKET_MESSAGE_MAX_LENGTH, 'ticket-message-too-long') message!: string;
}

export class ContinueTicketDto implements http.ContinueTicketRequest {
  @trimmedText('ticket-message-required', limits.TICKET_MESSAGE_MAX_LENGTH, 'ticket-message-too-long')
  message!: string;
}

export class UpdateTicketDto implements http.UpdateTicketRequest {
  @oneOf(http.TICKET_STATUSES, 'invalid-ticket-status') status!: http.TicketStatus;
  @optionalNotes adminNotes?: string;
}

@Controller('api')
@ReadsViews('tickets', 'gamers')
export class SupportController {
  constructor(
    private readonly queries: TicketsQueries,
    private readonly streams: StreamCommands,
    private readonly rateLimits: RateLimits,
    private readonly mails: AccountMails,
  ) {}

  /** The gamer’s own tickets, newest first. */
  @Get('support/tickets')
  @UseGuards(LoggedIn)
  mine(@CurrentGamer() gamer: SessionGamer, @Query() page: Page) {
    return this.queries.of(gamer.gamerId, page);
  }

  /** Opens a ticket for the logged-in gamer. */
  @Post('support/tickets')
  @UseGuards(LoggedIn)
  async open(@Metadata() metadata: CommandMetadata, @Body() { gamerId, subject, message }: OpenTicketDto) {
    mustBeOwn(metadata.actor.id, gamerId);
    await this.rateLimits.count('ticketsPerGamer', gamerId);
    const ticketId = derivedId(metadata);
    const { position } = await this.streams.execute({
      ...onTicket(ticketId),
      decide: (ticket) => domain.openTicket(ticket, { ticketId, gamerId, subject, message }),
      metadata,
      content: { type: 'OpenTicket', subject, message },
    });
    const text = 'Your ticket is open. We will answer it here.';
    return new WithPosition<MessageResponse & { id: TicketId }>(position, { id: ticketId, message: text });
  }

  /** Adds a message to the gamer’s own ticket, and opens it again. */
  @PostCommand('support/tickets/:id/messages')
  @UseGuards(LoggedIn)
  async continue(@Metadata() metadata: CommandMetadata, @Param('id') id: string, @Body() body: ContinueTicketDto) {
    const { message } = body;
    const gamerId = metadata.actor.id;
    await this.rateLimits.count('ticketsPerGamer', gamerId);
    const { position } = await this.streams.execute({
      ...onTicket(id),
      decide: (ticket) => domain.continueTicket(ticket, gamerId, message),
      metadata,
      content: { type: 'ContinueTicket', message },
    });
    return messageAt(position, 'Your message was added. We will answer it here.');
  }

  /** All tickets, newest first, filtered by `status` and `gamerId`. */
  @Get('admin/support/tickets')
  @UseGuards(adminOr('support'))
  all(@Query() { status, gamerId, ...page }: TicketsQuery) {
    return this.queries.all(page, { ...(status && { status }), ...(gamerId && { gamerId }) });
  }

  /** Closes or reopens a ticket, with or without an answer, or only answers; its gamer reads the answer. */
  @Put('admin/support/tickets/:id')
  @UseInterceptors(ChangedByInterceptor)
  @UseGuards(adminOr('support'))
  async update(@Metadata() metadata: CommandMetadata, @Param('id') id: string, @Body() body: UpdateTicketDto) {
    const wanted = { status: body.status, adminNotes: body.adminNotes || null };
    const { position, events, state } = await this.streams.execute({
      ...onTicket(id),
      decide: (ticket) => domain.updateTicket(ticket, wanted),
      version: (ticket) => versionOf(ticket?.status, ticket?.messageCount),
      metadata,
      content: { type: 'UpdateTicket', ...wanted },
    });
    if (state && events.some(isAnswer)) this.mails.ticketAnswered(state, metadata.commandId);
    return messageAt(position, `The ticket is ${wanted.status}`);
  }
}

@Controller('api/admin/gamers/:id/history')
@UseGuards(adminOr('support'))
export class GamerHistoryController {
  constructor(
    private readonly statements: Statements,
    private readonly events: AuditEvents,
    private readonly payments: PaymentsQueries,
    private readonly purchases: PurchasesQueries,
    private readonly clock: Clock,
  ) {}

  /** The newest movements, payments in review and late purchases of a gamer, for staff who answer a complaint. */
  @Get()
  @ReadsViews('journal', 'ledger-index', 'deposits', 'payments', 'withdrawals', 'gamers', 'late-purchases')
  async history(@Param('id') gamerId: string): Promise<http.GamerHistoryResponse> {
    const [{ movements }, inReview, signedRefusals, { events: payouts }] = await Promise.all([
      this.statements.movements(gamerId, new MovementsQuery()),
      this.payments.inReview(gamerId, this.clock.now(), new Page()),
      this.purchases.refusalsOf(gamerId),
      this.events.page({ type: 'WithdrawalCompleted', find: gamerId, count: limits.LIST_PAGE_SIZE }),
    ]);
    const records = await this.events.recordsOf(inReview.map(({ paymentId }) => paymentId));
    const paymentsInReview = inReview.map((one) => ({ ...one, recorded: records.get(one.paymentId) ?? null }));
    return { movements, paymentsInReview, signedRefusals, payouts };
  }
}

@Module({
  imports: [AuditModule, PaymentsModule, PurchasesModule, StatementsModule],
  controllers: [GamerHistoryController, SupportController],
  providers: [TicketsQueries],
})
export class SupportModule {}
