import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../../contracts/events/metadata.js';
import type { TicketEvent } from '../../../contracts/events/ticket-events.js';
import type { MessageResponse } from '../../../contracts/http/gamers.js';
import type { TicketId } from '../../../contracts/ids.js';
import { ticketStream } from '../../../contracts/streams.js';
import {
  evolveTicket,
  openTicket,
  type TicketState,
  type TicketUpdate,
  updateTicket,
} from '../../../domain/tickets.js';
import { GamerLimits } from '../http/gamer-limits.store.js';
import { type WithPosition, withPosition } from '../http/position.interceptor.js';
import { Refused } from '../http/refused.js';
import { derivedId } from '../streams/derived-id.js';
import { type StreamCommand, StreamCommands } from '../streams/stream-commands.js';

interface By {
  actor: Actor;
  commandId: string;
}

/** The session's gamer asks for help. */
export class OpenTicket extends Command<WithPosition<MessageResponse & { id: TicketId }>> {
  constructor(
    readonly subject: string,
    readonly message: string,
    readonly by: By,
  ) {
    super();
  }
}

export class UpdateTicket extends Command<WithPosition<MessageResponse>> {
  constructor(
    readonly ticketId: TicketId,
    readonly update: TicketUpdate,
    readonly by: By,
  ) {
    super();
  }
}

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

  async execute({ subject, message, by }: OpenTicket) {
    await this.limits.countTicket(by.actor.id);
    const opened = { ticketId: derivedId(by), gamerId: by.actor.id, subject, message };
    const { position, events } = await this.streams.execute<TicketState, TicketEvent>({
      ...onTicket(opened.ticketId),
      decide: (ticket) => openTicket(ticket, opened),
      by,
      asked: { type: 'OpenTicket', subject, message },
    });
    // One from before commands left their hash is answered with its event: it must have asked for the same.
    const repeated = openTicket(events.reduce<TicketState>(evolveTicket, null), opened);
    if ('refusal' in repeated) throw new Refused(repeated.refusal);
    return withPosition(position, { id: opened.ticketId, message: 'Your ticket is open. We will answer it here.' });
  }
}

@CommandHandler(UpdateTicket)
export class UpdateTicketHandler implements ICommandHandler<UpdateTicket> {
  constructor(private readonly streams: StreamCommands) {}

  async execute({ ticketId, update, by }: UpdateTicket) {
    if (!TICKET_ID.test(ticketId)) throw new Refused('ticket-not-found');
    const { position } = await this.streams.execute<TicketState, TicketEvent>({
      ...onTicket(ticketId),
      decide: (ticket) => updateTicket(ticket, update),
      by,
      asked: { type: 'UpdateTicket', ...update },
    });
    return withPosition(position, { message: `The ticket is ${update.status}` });
  }
}
