import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import pRetry, { type Options } from 'p-retry';
import type { OurEvent, Recorded } from '../../../contracts/events/recorded.js';
import { currentVersionOf } from '../../../contracts/events/schemas.js';
import type { GamerId } from '../../../contracts/ids.js';
import { COMMAND_TIMEOUT_MS } from '../../../contracts/limits.js';
import type { Refusal } from '../../../contracts/refusals.js';
import { commandHashOf } from '../../../domain/ledger/chain.js';
import type { CommandMetadata } from '../../../domain/ledger/ledger-commands.js';
import { EventLog } from '../../../event-log/event-log.js';
import * as eventLog from '../../../event-log/event-log.types.js';
import { withTimeout } from '../../../event-log/timers.js';
import { Clock } from '../platform/clock.js';
import { Refused, Unavailable } from '../platform/failures.js';

/** Conflicts with another node are rare on a short stream; eight in a row do not happen. */
export const CONFLICT_RETRIES: Options = {
  retries: 7,
  minTimeout: 0,
  // The next try reads the stream, which shows whether the events are in it.
  shouldRetry: ({ error }) =>
    error instanceof eventLog.WrongExpectedRevision || error instanceof eventLog.UnknownOutcome,
};

export interface StreamCommand<State, E extends OurEvent> {
  stream: string;
  initial: State;
  evolve(state: State, recorded: Recorded<E>): State;
  /** Returns the events to append, which may be none, or a refusal. */
  decide(state: State, atMs: number): { events: E[] } | { refusal: Refusal };
  metadata: CommandMetadata;
  /** The version of the record that the stream holds, for commands whose sender has read it. */
  version?: ((state: State) => string) | undefined;
  /** Under the same command id, other content is refused. Null when the command id alone determines the content. */
  content: { type: string; [field: string]: string | number | boolean | null } | null;
  /** Whether the command records what has happened already: an untrusted clock is then no reason to refuse it. */
  isRecord?: boolean;
}

interface StreamResult<State, E extends OurEvent> extends eventLog.AppendResult {
  /** The events of the command, appended now or by its first execution. */
  events: E[];
  state: State;
}

/** Commands on short streams (a gamer, a ticket, a payment), tried again on a conflict. A repeated id returns its first events. */
@Injectable()
export class StreamCommands {
  constructor(
    private readonly log: EventLog,
    private readonly clock: Clock,
  ) {}

  /** Throws Refused; or Unavailable when the log does not confirm in time: the command may then be sent again. */
  execute<State, E extends OurEvent>(command: StreamCommand<State, E>): Promise<StreamResult<State, E>> {
    const tooLate = () => new Unavailable(`${command.stream}: the log did not confirm the command in time`);
    return withTimeout(this.tryUntilKnown(command), COMMAND_TIMEOUT_MS, tooLate);
  }

  private async tryUntilKnown<State, E extends OurEvent>(command: StreamCommand<State, E>) {
    try {
      // No new try after the response: its events would come as a surprise to the sender.
      return await pRetry(() => this.tryOnce(command), { ...CONFLICT_RETRIES, maxRetryTime: COMMAND_TIMEOUT_MS });
    } catch (error) {
      // A gamer's deletion tombstoned the stream after this command had read it.
      if (error instanceof eventLog.StreamTombstoned) throw new Refused('not-found');
      const isUndecided = error instanceof eventLog.WrongExpectedRevision || eventLog.isLogOutage(error);
      throw isUndecided ? new Unavailable(error.message) : error;
    }
  }

  private async tryOnce<State, E extends OurEvent>({
    stream,
    initial,
    evolve,
    decide,
    metadata: { actor, commandId, expectedVersion },
    version,
    content,
    isRecord = false,
  }: StreamCommand<State, E>): Promise<StreamResult<State, E>> {
    let state = initial;
    let last = { revision: -1, position: '0', atMs: 0 };
    const earlier: Recorded<E>[] = [];
    let changedBy: GamerId | null = null;
    const { events: stored, head } = await this.log.readWithHead(stream);
    for (const recorded of stored) {
      const { revision, position, metadata } = recorded;
      const before = state;
      state = evolve(state, recorded as Recorded<E>);
      if (version && version(state) !== version(before)) changedBy = metadata.actor.id;
      last = { revision, position, atMs: metadata.at };
      if (metadata.commandId === commandId && metadata.actor.id === actor.id) earlier.push(recorded as Recorded<E>);
    }
    const commandHash = content && commandHashOf(content, actor.id);
    const replayed = earlier.at(-1);
    if (replayed) {
      if (commandHash !== null && replayed.metadata.commandHash !== commandHash)
        throw new Refused('idempotency-key-reused');
      return { ...positionOf(replayed), events: earlier.map(({ event }) => event), state };
    }
    if (version && expectedVersion !== undefined && version(state) !== expectedVersion)
      throw new Refused({ code: 'changed-meanwhile', parameters: { by: changedBy } });
    if (this.clock.fault && !isRecord) throw new Refused('clock-untrusted');
    const atMs = Math.max(this.clock.now(), last.atMs);
    const decision = decide(state, atMs);
    if ('refusal' in decision) throw new Refused(decision.refusal);
    if (decision.events.length === 0) return { ...positionOf(last), events: [], state };
    const shared = { actor, commandId, at: atMs, ...(commandHash !== null && { commandHash }) };
    const events = decision.events.map((event) => {
      const metadata = { ...shared, schema: currentVersionOf(event.type) };
      return { id: randomUUID(), event, metadata };
    });
    const result = await this.log.append(stream, events, head);
    for (const [index, event] of events.entries())
      state = evolve(state, { ...event, stream, revision: head + 1 + index, position: result.position });
    return { ...result, events: decision.events, state };
  }
}

const positionOf = ({ revision, position }: eventLog.AppendResult): eventLog.AppendResult => ({ revision, position });
