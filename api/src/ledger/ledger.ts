import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordedLedgerEvent } from '../../../contracts/events/recorded.js';
import { COMMAND_TIMEOUT_MS } from '../../../contracts/limits.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import type { Game } from '../../../domain/game.js';
import { commandHashOf } from '../../../domain/ledger/chain.js';
import type { CommandMetadata, LedgerCommand } from '../../../domain/ledger/ledger-commands.js';
import type { LedgerState } from '../../../domain/ledger/ledger-state.js';
import { phaseChangeDueAtMs } from '../../../domain/rounds.js';
import { LogUnavailable } from '../../../event-log/event-log.types.js';
import { withTimeout } from '../../../event-log/timers.js';
import { Refused, Unavailable } from '../platform/failures.js';
import { appendUntilKnown, type LedgerLog } from './append-until-known.js';
import { CatchUp } from './catch-up.js';
import { CommandQueue, type CommandResult, type QueuedSubmission } from './command-queue.js';
import { Draft, type Outcome, type Submission } from './draft.js';
import type { LedgerMetrics } from './ledger-metrics.js';
import type { CommittedEvent, LedgerReplica } from './ledger-replica.js';
import type { PostgresTurns } from './turns.store.js';

export interface LedgerDependencies {
  /** Epoch ms. */
  now(): number;
  /** Why this node must not decide now; null when it may. Default: it always may. */
  fault?(): Error | null;
  /** Whether every running process can read this event. Default: they all can. */
  mayWrite?(type: string, version: number): boolean;
  /** Default: the node never waits for its turn, as if it were the only one. */
  turns?: Pick<PostgresTurns, 'begin' | 'contend'>;
  /** Returns the command with its personal texts encrypted; null for a command without any. Default: nothing is encrypted. */
  encrypt?(command: LedgerCommand, metadata: CommandMetadata): Promise<LedgerCommand> | null;
  newEventId(): string;
  newId(): string;
  metrics?: Pick<LedgerMetrics, 'countCommand'>;
}

const sleepUnref = (timeoutMs: number): Promise<unknown> => sleep(timeoutMs, undefined, { ref: false });

/** EventStoreDB accepts 1 MiB per append (its strictest default); the rest is left for framing. */
const MAX_DRAFT_BYTES = 900_000;
const MAX_DRAFT_COMMANDS = 2_000;
/** Back-pressure limit: more waiting commands than this would time out, so new ones are refused as unavailable. */
const MAX_WAITING = 20_000;
const RETRY_MS = 200;
const REFRESH_TIMEOUT_MS = 2_000;

/** `isOwn`: this node appended the events. What must happen once for all nodes is done by that node. */
type CommitListener = (committed: readonly CommittedEvent[], isOwn: boolean) => void;

/**
 * The sequencer: the only way to change the ledger. It decides the waiting commands in memory, one after another, and appends the
 * events of up to `MAX_DRAFT_COMMANDS` in ONE append at the expected revision; meanwhile the next batch gathers. When another node
 * appended first, it undoes the batch, reads that node's events and decides again. When an append's outcome is unknown, it reads
 * the log until the outcome is known, and retries only with the same event ids. It acknowledges a command once its events are in
 * the log.
 */
export class Ledger {
  private readonly queue = new CommandQueue();
  private readonly listeners: CommitListener[] = [];
  private wake: () => void = () => {};
  private isAlarmSet = false;
  private isStopping = false;
  private running: Promise<void> | undefined;
  private readonly catchUp: CatchUp;
  private lastCommitted: { game: Game; position: string };

  constructor(
    private readonly replica: LedgerReplica,
    private readonly log: LedgerLog,
    private readonly dependencies: LedgerDependencies,
    private readonly onBroken: (error: Error) => void,
  ) {
    this.lastCommitted = { game: replica.state.game, position: replica.position };
    this.catchUp = new CatchUp(replica, log, dependencies, (committed) => {
      this.announce(committed, false);
      if (this.waitingCommands > 0) dependencies.turns?.contend();
    });
  }

  async start(): Promise<void> {
    await this.catchUp.read();
    this.running = this.run().catch((error: Error) => {
      this.isStopping = true;
      this.queue.rejectAll(new Unavailable('the ledger stopped'));
      this.onBroken(error);
    });
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    this.wake();
    await this.running;
    this.queue.rejectAll(new Unavailable('the ledger stopped'));
  }

  /** Idempotent by command id; other content is refused. Throws Refused; or Unavailable when the log did not confirm: send it again. */
  execute(command: LedgerCommand, metadata: CommandMetadata): Promise<CommandResult> {
    // Encrypted before the command is hashed: the hash of an address could be guessed.
    const encrypting = this.dependencies.encrypt?.(command, metadata);
    const result = encrypting
      ? encrypting.then((encrypted) => this.enqueue(encrypted, metadata))
      : this.enqueue(command, metadata);
    this.dependencies.metrics?.countCommand(command.type, result);
    return result;
  }

  private enqueue(command: LedgerCommand, metadata: CommandMetadata): Promise<CommandResult> {
    if (this.isStopping) return Promise.reject(new Unavailable('the ledger is stopping'));
    const fault = this.dependencies.fault?.() ?? null;
    if (fault !== null) return Promise.reject(fault);
    if (this.waitingCommands >= MAX_WAITING) return Promise.reject(new Unavailable('too many commands are waiting'));
    return new Promise((resolve, reject) => {
      const nowMs = this.dependencies.now();
      const receivedAtMs = Math.min(metadata.receivedAtMs ?? nowMs, nowMs);
      const expiresAtMonotonicMs = performance.now() + COMMAND_TIMEOUT_MS - (nowMs - receivedAtMs);
      const freshId = this.dependencies.newId();
      this.queue.add({ command, ...metadata, receivedAtMs, expiresAtMonotonicMs, freshId, resolve, reject });
      this.wake();
    });
  }

  /** Reads what other nodes have appended until now. Throws Unavailable when that takes longer than 2 s. */
  async refresh(): Promise<void> {
    const refreshed = this.catchUp.request();
    this.wake();
    await withTimeout(refreshed, REFRESH_TIMEOUT_MS, () => new Unavailable('the log did not answer in time'));
  }

  /** Calls the listener once per committed event, in log order, including events other nodes wrote. */
  onCommitted(listener: CommitListener): void {
    this.listeners.push(listener);
  }

  /** Answers from the state, whose last events may not be committed: for roles, display, and checks that the ledger repeats. */
  ask<T, A extends unknown[]>(question: (state: LedgerState, ...args: A) => T, ...args: A): T {
    return question(this.replica.state, ...args);
  }

  /** The game as of the last committed event, and that event's position; never speculative. */
  get committed(): { game: Game; position: string } {
    return this.lastCommitted;
  }

  get lastEventAtMs(): number {
    return this.replica.state.atMs;
  }

  get head(): Pick<LedgerReplica, 'revision' | 'chain' | 'position' | 'tree'> {
    const { revision, chain, position, tree } = this.replica;
    return { revision, chain, position, tree };
  }

  /** Sum of all accounts, in cents: 0, because each event's postings sum to zero. */
  get sumCents(): number {
    let sum = 0;
    for (const cents of this.replica.state.balances.values()) sum += cents;
    return sum;
  }

  get waitingCommands(): number {
    return this.queue.size;
  }

  /** Set by `Liveness`: true while no other node is alive. */
  set isAlone(isAlone: boolean) {
    this.catchUp.isAlone = isAlone;
  }

  /** Time of the log's last response, epoch ms. */
  get lastContactAtMs(): number {
    return this.catchUp.contactAtMs;
  }

  private async run(): Promise<void> {
    for (;;) {
      this.queue.rejectExpired();
      if (this.catchUp.isRequested && !this.isStopping) await this.tryCatchUp();
      else if (this.queue.isWaiting) await this.takeTurn();
      else if (this.isStopping) return;
      else if (this.catchUp.dueInMs <= 0) await this.tryCatchUp();
      else await this.untilWoken();
    }
  }

  /** Reads what other nodes wrote; false when the log is unavailable. */
  private async tryCatchUp(): Promise<boolean> {
    try {
      await this.catchUp.read();
      return true;
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      await sleepUnref(RETRY_MS);
      return false;
    }
  }

  private async takeTurn(): Promise<void> {
    const endTurn = await this.dependencies.turns?.begin();
    try {
      // The other nodes appended during their turns.
      if (endTurn && !(await this.tryCatchUp())) return;
      const fault = this.dependencies.fault?.() ?? null;
      if (fault === null) return await this.decideWaiting();
      this.queue.rejectWaiting(fault);
    } finally {
      endTurn?.();
    }
  }

  private async decideWaiting(): Promise<void> {
    this.queue.beginBatch(MAX_DRAFT_COMMANDS);
    let draft = this.draftBatch();
    if (draft.isEmpty) {
      // An append would prove that the state was current. Without events nothing proves it, so read the log and decide again.
      if (!(await this.tryCatchUp())) return this.queue.requeue();
      draft = this.draftBatch();
    }
    const position = draft.isEmpty ? this.replica.position : await this.append(draft);
    if (position === null) return this.queue.requeue();
    const { committed, outcomes } = draft.commit(position);
    // Acknowledge first: it may hold commands that `announce` must then release.
    for (const [index, submission] of this.queue.endBatch().entries())
      this.acknowledge(submission, outcomes[index] as Outcome);
    if (committed.length > 0) this.announce(committed, true);
  }

  /** Decides the batch. Commands beyond the size of one append return to the queue; one whose decision throws is rejected. */
  private draftBatch(): Draft {
    for (;;) {
      const { newEventId, now, mayWrite } = this.dependencies;
      const draft = new Draft(this.replica, newEventId, now(), mayWrite);
      let count = 0;
      try {
        for (const submission of this.queue.batch) {
          if (draft.sizeBytes >= MAX_DRAFT_BYTES) break;
          draft.add(submission);
          count += 1;
        }
        this.queue.requeue(count);
        return draft;
      } catch (error) {
        // A bug in one decision: its sender gets the error, and the others are decided again without it.
        draft.undo();
        this.queue.rejectOneOfBatch(count, error as Error);
      }
    }
  }

  /** Position of the append; null when the draft was not appended, or the outcome is abandoned: the draft is then undone. */
  private async append(draft: Draft): Promise<string | null> {
    const outcome = await appendUntilKnown(this.log, draft.newEvents, this.replica.revision, () => this.keepWaiting());
    if (typeof outcome === 'object') {
      this.catchUp.recordContact();
      return outcome.position;
    }
    draft.undo();
    if (outcome === 'overtaken') await this.tryCatchUp();
    return null;
  }

  /** Rejects expired commands of an append with unknown outcome; false when all are rejected and the ledger is stopping. */
  private async keepWaiting(): Promise<boolean> {
    this.queue.rejectExpired();
    if (this.isStopping && this.queue.isBatchExpired) return false;
    await sleepUnref(RETRY_MS);
    return true;
  }

  private announce(committed: readonly CommittedEvent[], isOwn: boolean): void {
    const last = committed.at(-1);
    if (last) {
      // Another end of the countdown, or another phase: the held commands can be decided.
      if (phaseChangeDueAtMs(last.game) !== phaseChangeDueAtMs(this.lastCommitted.game)) this.queue.requeueDeferred();
      this.lastCommitted = { game: last.game, position: last.recorded.position };
    }
    for (const listener of this.listeners) listener(committed, isOwn);
  }

  private acknowledge(submission: QueuedSubmission, outcome: Outcome): void {
    const { command, resolve, reject } = submission;
    const resolveWith = (events: RecordedLedgerEvent[]): void => {
      const { revision, position } = events.at(-1) ?? this.replica;
      resolve({ events, revision, position });
    };
    switch (outcome.kind) {
      case 'accepted':
        resolveWith(outcome.events);
        return;
      case 'replayed':
        eventsOfFirstResult(this.log, submission, outcome.revision).then(resolveWith, reject);
        return;
      case 'refused': {
        const isUndecided = outcome.refusal.code === 'round-being-decided';
        // A reset that comes too late is refused at once (decision 19); every other command waits until the round has ended.
        if (isUndecided && command.type !== 'ResetGame') this.queue.defer(submission);
        else reject(new Refused(outcome.refusal));
      }
    }
  }

  /** Waits for a command, or until the log is to be read again. A command does not cancel the timer: a new one costs more. */
  private untilWoken(): Promise<void> {
    if (!this.isAlarmSet) {
      this.isAlarmSet = true;
      void sleepUnref(this.catchUp.dueInMs).then(() => {
        this.isAlarmSet = false;
        this.wake();
      });
    }
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }
}

/** The limit of every command but `OrderPayouts`, which appends an event per payout. */
const MAX_EVENTS_PER_COMMAND = 4;

/** A repeated command's events, consecutive from `revision`. Throws Refused for other content; Unavailable. */
async function eventsOfFirstResult(
  log: Pick<LedgerLog, 'readStream'>,
  { command, commandId, actor }: Submission,
  revision: number,
): Promise<RecordedLedgerEvent[]> {
  const events: RecordedLedgerEvent[] = [];
  const maxCount = command.type === 'OrderPayouts' ? command.payouts.length : MAX_EVENTS_PER_COMMAND;
  try {
    for await (const recorded of log.readStream(LEDGER_STREAM, { fromRevision: revision, maxCount })) {
      if (recorded.metadata.commandId !== commandId || recorded.metadata.actor.id !== actor.id) break;
      events.push(recorded as RecordedLedgerEvent);
    }
  } catch (error) {
    if (error instanceof LogUnavailable) throw new Unavailable(error.message);
    throw error;
  }
  const [first] = events;
  if (!first) throw new Error(`ledger@${revision} is not of the command ${commandId}`);
  if (first.metadata.commandHash !== commandHashOf(command, actor.id)) throw new Refused('idempotency-key-reused');
  return events;
}
