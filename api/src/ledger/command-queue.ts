import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordedLedgerEvent } from '../../../contracts/events/recorded.js';
import { Unavailable } from '../platform/failures.js';
import type { Submission } from './draft.js';

/** The result of an accepted command. `events` is empty when it changed nothing. */
export interface CommandResult {
  events: RecordedLedgerEvent[];
  revision: number;
  /** Log position of the append that holds the last event. */
  position: string;
}

/** A command whose sender has no response yet. */
export interface QueuedCommand extends Submission {
  expiresAtMonotonicMs: number;
  resolve(result: CommandResult): void;
  reject(error: Error): void;
}

const EXPIRY_INTERVAL_MS = 250;

/** The commands of a ledger that have no result yet, in order of arrival. Those that waited too long are rejected. */
export class CommandQueue {
  private waiting: QueuedCommand[] = [];
  /** Commands under way: decided, or being appended. */
  batch: QueuedCommand[] = [];
  /** Commands refused as `round-being-decided`: decided again when the countdown's end or the phase changes. */
  private held: QueuedCommand[] = [];

  private isExpiring = false;

  get size(): number {
    return this.waiting.length + this.batch.length + this.held.length;
  }

  get isWaiting(): boolean {
    return this.waiting.length > 0;
  }

  add(command: QueuedCommand): void {
    this.waiting.push(command);
    if (!this.isExpiring) void this.expireWhileWaiting();
  }

  takeBatch(maxCount: number): void {
    this.batch = this.waiting.splice(0, maxCount);
  }

  /** Returns the batch, or all but its first commands, to the head of the queue. */
  requeue(keptCount = 0): void {
    this.waiting.unshift(...this.batch.splice(keptCount));
  }

  hold(command: QueuedCommand): void {
    this.held.push(command);
  }

  /** Returns the held commands to the head of the queue: they are decided again, before later commands. */
  release(): void {
    this.waiting.unshift(...this.held.splice(0));
  }

  rejectWaiting(error: Error): void {
    for (const { reject } of this.waiting.splice(0)) reject(error);
  }

  rejectAll(error: Error): void {
    for (const { reject } of [...this.batch, ...this.waiting.splice(0), ...this.held.splice(0)]) reject(error);
  }

  /** Rejects the commands that arrived too long ago. Those that wait or are held are dropped: their events were never sent. */
  rejectExpired(): void {
    for (const command of this.batch)
      if (this.isExpired(command)) command.reject(new Unavailable('the outcome of the append is unknown'));
    this.waiting = this.withoutExpired(this.waiting);
    this.held = this.withoutExpired(this.held);
  }

  get isBatchExpired(): boolean {
    return this.batch.every(this.isExpired);
  }

  /** Rejects expired commands even while a read or an append does not end. */
  private async expireWhileWaiting(): Promise<void> {
    this.isExpiring = true;
    while (this.size > 0) {
      await sleep(EXPIRY_INTERVAL_MS, undefined, { ref: false });
      this.rejectExpired();
    }
    this.isExpiring = false;
  }

  private withoutExpired(commands: QueuedCommand[]): QueuedCommand[] {
    for (const command of commands.filter(this.isExpired))
      command.reject(new Unavailable('the log did not accept the command in time'));
    return commands.filter((command) => !this.isExpired(command));
  }

  private readonly isExpired = ({ expiresAtMonotonicMs }: QueuedCommand): boolean =>
    expiresAtMonotonicMs < performance.now();
}
