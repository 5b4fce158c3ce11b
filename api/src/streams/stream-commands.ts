import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../contracts/events/metadata.js';
import type { OurEvent, Recorded } from '../../../contracts/events/recorded.js';
import type { CommandId } from '../../../contracts/ids.js';
import type { Refusal } from '../../../contracts/messages.js';
import { EventLog } from '../../../event-log/event-log.js';
import {
  type AppendResult,
  LogUnavailable,
  type NewEvent,
  UnknownOutcome,
  WrongExpectedRevision,
} from '../../../event-log/event-log.types.js';
import { Clock } from '../http/clock.js';
import { Refused, Unavailable } from '../http/refused.js';

/** Another node writes the same short stream now and then, never this often in a row. */
const MAX_TRIES = 8;
const SCHEMA = 1;

export interface StreamCommand<State, E extends OurEvent> {
  stream: string;
  initial: State;
  evolve(state: State, recorded: Recorded<E>): State;
  /** Events, none when nothing is to be done, or why not. */
  decide(state: State, at: number): { events: E[] } | { refusal: Refusal };
  by: { actor: Actor; commandId: CommandId };
}

export interface StreamResult<State, E extends OurEvent> extends AppendResult {
  /** What the command brought about, now or when it was first sent. */
  events: E[];
  /** The stream as it is now, its last event included. */
  state: State;
}

/**
 * Commands on short streams (a gamer, a ticket, a payment): read, decide, append at the exact revision; again when
 * another was quicker. A repeated command id finds its own events and is answered with them.
 */
@Injectable()
export class StreamCommands {
  constructor(
    private readonly log: EventLog,
    private readonly clock: Clock,
  ) {}

  /** Throws Refused, or Unavailable when the log cannot confirm it. */
  async execute<State, E extends OurEvent>(command: StreamCommand<State, E>): Promise<StreamResult<State, E>> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      try {
        return await this.tryOnce(command);
      } catch (error) {
        // Either way the log is read again, and shows whether ours is in it.
        if (error instanceof WrongExpectedRevision || error instanceof UnknownOutcome) continue;
        if (error instanceof LogUnavailable) throw new Unavailable(error.message);
        throw error;
      }
    }
    throw new Unavailable(`${command.stream} could not be appended to`);
  }

  private async tryOnce<State, E extends OurEvent>({
    stream,
    initial,
    evolve,
    decide,
    by,
  }: StreamCommand<State, E>): Promise<StreamResult<State, E>> {
    let state = initial;
    let revision = -1;
    let last = { revision: -1, position: '0', at: 0 };
    const mine: Recorded<E>[] = [];
    for await (const recorded of this.log.readStream(stream)) {
      const ours = recorded as Recorded<E>;
      state = evolve(state, ours);
      revision = ours.revision;
      last = { revision, position: ours.position, at: ours.metadata.at };
      const { commandId, actor } = ours.metadata;
      if (commandId === by.commandId && actor.id === by.actor.id) mine.push(ours);
    }
    const repeated = mine.at(-1);
    if (repeated) return { ...positionOf(repeated), events: mine.map(({ event }) => event), state };
    const at = Math.max(this.clock.now(), last.at);
    const decision = decide(state, at);
    if ('refusal' in decision) throw new Refused(decision.refusal);
    if (decision.events.length === 0) return { ...positionOf(last), events: [], state };
    const metadata = { ...by, at, schema: SCHEMA };
    const events = decision.events.map((event): NewEvent => ({ id: randomUUID(), event, metadata }));
    const result = await this.log.append(stream, events, revision);
    for (const [index, event] of decision.events.entries()) {
      const { id } = events[index] as NewEvent;
      state = evolve(state, { id, stream, revision: revision + 1 + index, position: result.position, event, metadata });
    }
    return { ...result, events: decision.events, state };
  }
}

const positionOf = ({ revision, position }: AppendResult): AppendResult => ({ revision, position });
