import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TicketEvent } from '../../../../contracts/events/gamer-events.js';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import type { TicketId } from '../../../../contracts/ids.js';
import { ticketStream } from '../../../../contracts/streams.js';
import { versionOf } from '../../../../contracts/versions.js';
import {
  evolveTicket,
  openTicket,
  type TicketState,
  type TicketUpdate,
  updateTicket,
} from '../../../../domain/support.js';
import { GamerLimits } from '../../http/limits.store.js';
import { derivedId } from '../../ledger/ids.js';
import { type StreamCommand, StreamCommands } from '../../ledger/stream-commands.js';
import { BusCommand, WithPosition } from '../../platform/bus-command.js';
import { Refused } from '../../platform/failures.js';
import { AccountMails } from '../gamers/account-mails.js';

export class OpenTicket extends BusCommand<{ subject: string; message: string }, MessageResponse & { id: TicketId }> {}

export class UpdateTicket extends BusCommand<{ ticketId: TicketId; update: TicketUpdate }, MessageResponse> {}

const TICKET_ID = /^[0-9a-z]{20}$/;

const onTicket = (
  ticketId: TicketId,
): Pick<StreamCommand<TicketState, TicketEvent>, 'stream' | 'initial' | 'evolve'> => ({
  stream: ticketStream(ticketId),
  initial: null,
  evolve: (ticket, { event }) => evolveTicket(ticket, event),
});

@CommandHandler(OpenTicket)
export class OpenTicketHandler implements ICommandHandler<OpenTicket> {
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
export class UpdateTicketHandler implements ICommandHandler<UpdateTicket> {
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
