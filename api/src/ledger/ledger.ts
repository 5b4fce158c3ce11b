import { setTimeout as sleep } from 'node:timers/promises';
import type { Actor } from '../../../contracts/events/metadata.js';
import type { RecordedLedgerEvent } from '../../../contracts/events/recorded.js';
import type { CommandId } from '../../../contracts/ids.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import { forgetOld } from '../../../domain/evolve.js';
import type { Game } from '../../../domain/game.js';
import type { LedgerCommand } from '../../../domain/ledger-commands.js';
import { LogUnavailable } from '../../../event-log/event-log.types.js';
import { Refused, Unavailable } from '../http/refused.js';
import { appendUntilKnown, type LedgerLog } from './append-until-known.js';
import { Draft, type Outcome, type Submission } from './draft.js';
import type { CommittedEvent, LedgerBook } from './ledger-book.js';

/** What a command brought about. `events` is empty when nothing was to be done. */
export interface CommandResult {
  events: RecordedLedgerEvent[];
  /** Of its last event. */
  revision: number;
  /** At or after its last event. */
  position: string;
}

/** Where time and randomness come in. */
export interface LedgerSources {
  now(): number;
  newEventId(): string;
  newId(): string;
  /** Waits, and rejects when it is told to stop; timers unless a simulation lets its own time pass. */
  sleep?(timeoutMs: number, signal?: AbortSignal): Promise<unknown>;
}

const timer = (timeoutMs: number, signal?: AbortSignal): Promise<unknown> => sleep(timeoutMs, undefined, { signal });

/** An append may have at most 1 MiB (EventStoreDB's strictest default); the rest is room for its framing. */
const MAX_DRAFT_BYTES = 900_000;
const MAX_DRAFT_COMMANDS = 2_000;
/** Beyond this many waiting commands, another could not be answered in time. */
const MAX_WAITING = 20_000;
/** A command that could not be appended by then is not tried any more. */
const GIVE_UP_MS = 5_000;
/** How long this node may go without looking at the log. An append that succeeds is a look: nobody else wrote. */
const LOOK_INTERVAL_MS = 50;
const RETRY_MS = 200;

interface Waiting extends Submission {
  resolve(result: CommandResult): void;
  reject(error: Error): void;
}

/**
 * The sequencer: the one way to change the ledger.
 *
 * Commands queue as they arrive. All that wait are decided one after another in memory and appended as ONE append at the
 * exact revision; meanwhile the next batch gathers. Refused for its revision (another node wrote): the batch is taken
 * back, the others' events are read, and everything is decided again. Outcome unknown: the log is asked until it is
 * known, and only the very same events are ever sent again. Nobody is answered before the log has it.
 */
export class Ledger {
  private readonly waiting: Waiting[] = [];
  /** Decided, and not answered yet. */
  private taken: Waiting[] = [];
  private readonly listeners: ((committed: readonly CommittedEvent[]) => void)[] = [];
  private wake: () => void = () => {};
  private stopping = false;
  private running: Promise<void> | undefined;
  private contactAt = 0;
  private told: { game: Game; position: string };
  private readonly sleep: (timeoutMs: number, signal?: AbortSignal) => Promise<unknown>;

  constructor(
    private readonly book: LedgerBook,
    private readonly log: LedgerLog,
    private readonly sources: LedgerSources,
    private readonly onBroken: (error: Error) => void,
  ) {
    this.told = { game: book.state.game, position: book.position };
    this.sleep = sources.sleep ?? timer;
  }

  /** Reads up to the end of the log, then begins to take commands. */
  async start(): Promise<void> {
    await this.catchUp();
    this.running = this.run().catch((error: Error) => {
      this.stopping = true;
      for (const { reject } of [...this.taken, ...this.waiting.splice(0)])
        reject(new Unavailable('the ledger stopped'));
      this.onBroken(error);
    });
  }

  /** Finishes what is waiting, then stops. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.wake();
    await this.running;
  }

  /**
   * Carries out a command. A repeat (same actor, same command id, same content) is answered with the first result.
   * Throws Refused, or Unavailable when the log cannot confirm it now; then the same command id may be sent again.
   */
  execute(command: LedgerCommand, by: { actor: Actor; commandId: CommandId }): Promise<CommandResult> {
    if (this.stopping) return Promise.reject(new Unavailable('the ledger is stopping'));
    if (this.waiting.length >= MAX_WAITING) return Promise.reject(new Unavailable('too many commands are waiting'));
    return new Promise((resolve, reject) => {
      const arrivedAt = this.sources.now();
      this.waiting.push({ command, ...by, arrivedAt, freshId: this.sources.newId(), resolve, reject });
      this.wake();
    });
  }

  /** Called with every event that came into the log, whoever wrote it, once and in order. */
  onCommitted(listener: (committed: readonly CommittedEvent[]) => void): void {
    this.listeners.push(listener);
  }

  /** The game as the log has it, and up to where. */
  get committed(): { game: Game; position: string } {
    return this.told;
  }

  /** Ledger time of the last event. */
  get lastEventAt(): number {
    return this.book.state.at;
  }

  get revision(): number {
    return this.book.revision;
  }

  /** Commands that are not answered yet. */
  get waitingCommands(): number {
    return this.waiting.length + this.taken.length;
  }

  /** When the log was last seen to answer, epoch ms. */
  get lastContactAt(): number {
    return this.contactAt;
  }

  private async run(): Promise<void> {
    for (;;) {
      this.giveUpOnLate();
      if (this.waiting.length > 0) await this.decideWaiting();
      else if (this.stopping) return;
      else if (this.sources.now() - this.contactAt >= LOOK_INTERVAL_MS) await this.look();
      else await this.untilWokenOr(LOOK_INTERVAL_MS);
    }
  }

  /** Reads what others wrote; false when the log is away. */
  private async look(): Promise<boolean> {
    try {
      await this.catchUp();
      return true;
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      await this.sleep(RETRY_MS);
      return false;
    }
  }

  private async decideWaiting(): Promise<void> {
    this.taken = this.waiting.splice(0, MAX_DRAFT_COMMANDS);
    let draft = this.draftTaken();
    if (draft.isEmpty) {
      // An append proves what it was decided on. Refusals append nothing: they are decided on what the log has by now.
      if (!(await this.look())) return this.putBack();
      draft = this.draftTaken();
    }
    const position = draft.isEmpty ? this.book.position : await this.append(draft);
    if (position === null) return this.putBack();
    const { committed, outcomes } = draft.commit(position);
    forgetOld(this.book.state);
    if (committed.length > 0) this.announce(committed);
    this.answer(this.taken.splice(0), outcomes);
  }

  /** What was decided is void: its commands go back to the head of the queue. */
  private putBack(): void {
    this.waiting.unshift(...this.taken.splice(0));
  }

  /** Decides what was taken; what is too much for one append, or cannot be decided at all, is taken no longer. */
  private draftTaken(): Draft {
    for (;;) {
      const draft = new Draft(this.book, this.sources.newEventId);
      let count = 0;
      try {
        for (; count < this.taken.length && draft.size < MAX_DRAFT_BYTES; count += 1) {
          draft.add(this.taken[count] as Waiting);
        }
        this.waiting.unshift(...this.taken.splice(count));
        return draft;
      } catch (error) {
        // A bug, met by one command: its sender gets it, and the others are decided again without it.
        draft.undo();
        this.taken.splice(count, 1)[0]?.reject(error as Error);
      }
    }
  }

  /** The position the draft was appended at; null when it was not, or nobody waits to know, and it has been undone. */
  private async append(draft: Draft): Promise<string | null> {
    const outcome = await appendUntilKnown(this.log, draft.newEvents, this.book.revision, () => this.keepWaiting());
    if (typeof outcome === 'object') {
      this.contactAt = this.sources.now();
      return outcome.position;
    }
    draft.undo();
    if (outcome === 'overtaken') await this.look();
    return null;
  }

  /** Tells the senders of an append whose outcome stays unknown; false when all know and the ledger is to stop. */
  private async keepWaiting(): Promise<boolean> {
    this.giveUpOnLate();
    const limit = this.sources.now() - GIVE_UP_MS;
    const late = this.taken.filter(({ arrivedAt }) => arrivedAt < limit);
    for (const { reject } of late) reject(new Unavailable('the log has not said yet'));
    if (this.stopping && late.length === this.taken.length) return false;
    await this.sleep(RETRY_MS);
    return true;
  }

  /** Folds and announces what others wrote. */
  private async catchUp(): Promise<void> {
    const committed: CommittedEvent[] = [];
    try {
      for await (const recorded of this.log.readStream(LEDGER_STREAM, { fromRevision: this.book.revision + 1 })) {
        committed.push(this.book.apply(recorded as RecordedLedgerEvent));
        if (committed.length >= ANNOUNCE_AT_ONCE) this.announce(committed.splice(0));
      }
      this.contactAt = this.sources.now();
    } finally {
      // Also when the reading broke off: what was folded will not be read again.
      if (committed.length > 0) this.announce(committed);
    }
  }

  private announce(committed: readonly CommittedEvent[]): void {
    const last = committed.at(-1);
    if (last) this.told = { game: last.game, position: last.recorded.position };
    for (const listener of this.listeners) listener(committed);
  }

  private answer(taken: Waiting[], outcomes: Outcome[]): void {
    for (const [index, { resolve, reject }] of taken.entries()) {
      const outcome = outcomes[index] as Outcome;
      if (outcome.kind === 'refused') reject(new Refused(outcome.refusal));
      else if (outcome.kind === 'repeat') this.firstResult(outcome.revision).then(resolve, reject);
      else resolve(this.resultOf(outcome.kind === 'accepted' ? outcome.events : []));
    }
  }

  private resultOf(events: RecordedLedgerEvent[]): CommandResult {
    const last = events.at(-1);
    return { events, revision: last?.revision ?? this.book.revision, position: last?.position ?? this.book.position };
  }

  /** The result of a command carried out before, from the log: its events stand together, from `revision` on. */
  private async firstResult(revision: number): Promise<CommandResult> {
    const events: RecordedLedgerEvent[] = [];
    try {
      const options = { fromRevision: revision, maxCount: MAX_EVENTS_PER_COMMAND };
      for await (const recorded of this.log.readStream(LEDGER_STREAM, options)) {
        const first = events[0] ?? (recorded as RecordedLedgerEvent);
        const { commandId, actor } = first.metadata;
        if (recorded.metadata.commandId !== commandId || recorded.metadata.actor.id !== actor.id) break;
        events.push(recorded as RecordedLedgerEvent);
      }
    } catch (error) {
      if (error instanceof LogUnavailable) throw new Unavailable(error.message);
      throw error;
    }
    return this.resultOf(events);
  }

  /** Commands that waited too long were never sent: refusing them is safe. */
  private giveUpOnLate(): void {
    const limit = this.sources.now() - GIVE_UP_MS;
    while (this.waiting[0] && this.waiting[0].arrivedAt < limit) {
      this.waiting.shift()?.reject(new Unavailable('the log did not take it in time'));
    }
  }

  private async untilWokenOr(timeoutMs: number): Promise<void> {
    const waiting = new AbortController();
    const woken = new Promise<void>((resolve) => {
      this.wake = resolve;
    });
    await Promise.race([woken, this.sleep(timeoutMs, waiting.signal).catch(() => {})]);
    waiting.abort(WOKEN);
    this.wake = () => {};
  }
}

/** Given as the reason, for the one that abort() makes by itself records a stack, with every command that wakes. */
const WOKEN = new Error('woken');
const ANNOUNCE_AT_ONCE = 1_000;
const MAX_EVENTS_PER_COMMAND = 4;
