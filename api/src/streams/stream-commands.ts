import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Actor, EventMetadata } from '../../../contracts/events/metadata.js';
import type { OurEvent, Recorded } from '../../../contracts/events/recorded.js';
import { schemaOf } from '../../../contracts/events/schemas.js';
import type { CommandId } from '../../../contracts/ids.js';
import type { Refusal } from '../../../contracts/messages.js';
import { commandHashOf } from '../../../domain/chain.js';
import { EventLog } from '../../../event-log/event-log.js';
import {
  type AppendResult,
  LogUnavailable,
  UnknownOutcome,
  WrongExpectedRevision,
} from '../../../event-log/event-log.types.js';
import { Clock } from '../http/clock.js';
import { Refused, Unavailable } from '../http/refused.js';

/** Another node writes the same short stream now and then, never this often in a row. */
const MAX_TRIES = 8;

/** What was asked for, by name: under the id of another command it is refused. */
export interface Asked {
  type: string;
  [field: string]: string | number | boolean | null;
}

export interface StreamCommand<State, E extends OurEvent> {
  stream: string;
  initial: State;
  evolve(state: State, recorded: Recorded<E>): State;
  /** Events, none when nothing is to be done, or why not. */
  decide(state: State, at: number): { events: E[] } | { refusal: Refusal };
  by: { actor: Actor; commandId: CommandId };
  /** Null where the id itself says what is asked for. */
  asked: Asked | null;
}

export interface StreamResult<State, E extends OurEvent> extends AppendResult {
  /** What the command brought about, now or when it was first sent. */
  events: E[];
  /** The stream as it is now, its last event included. */
  state: State;
}

/**
 * Commands on short streams (a gamer, a ticket, a payment): read, decide, append at the exact revision; again when
 * another was quicker. A repeated command id finds its own events and is answered with them; with another content it is
 * refused, as the ledger does.
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
    asked,
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
    const commandHash = asked && commandHashOf(asked, by.actor.id);
    const repeated = mine.at(-1);
    mustBeSame(repeated?.metadata, commandHash);
    if (repeated) return { ...positionOf(repeated), events: mine.map(({ event }) => event), state };
    const at = Math.max(this.clock.now(), last.at);
    const decision = decide(state, at);
    if ('refusal' in decision) throw new Refused(decision.refusal);
    if (decision.events.length === 0) return { ...positionOf(last), events: [], state };
    const events = decision.events.map((event) => {
      const metadata = { ...by, at, schema: schemaOf(event.type), ...(commandHash !== null && { commandHash }) };
      return { id: randomUUID(), event, metadata };
    });
    const result = await this.log.append(stream, events, revision);
    for (const [index, event] of events.entries()) {
      state = evolve(state, { ...event, stream, revision: revision + 1 + index, position: result.position });
    }
    return { ...result, events: decision.events, state };
  }
}

/** Events from before commands left their hash may be anyone's: they are taken for what is asked for. */
export function mustBeSame(before: EventMetadata | undefined, commandHash: string | null): void {
  if (before?.commandHash !== undefined && commandHash !== null && before.commandHash !== commandHash) {
    throw new Refused('idempotency-key-reused');
  }
}

const positionOf = ({ revision, position }: AppendResult): AppendResult => ({ revision, position });
