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

/** A submission whose sender has no response yet. */
export interface QueuedSubmission extends Submission {
  expiresAtMonotonicMs: number;
  resolve(result: CommandResult): void;
  reject(error: Error): void;
}

const EXPIRY_INTERVAL_MS = 250;

/** The submissions without a result, in order of arrival. Those that have waited too long are rejected. */
export class CommandQueue {
  private waiting: QueuedSubmission[] = [];
  private currentBatch: QueuedSubmission[] = [];
  /** Submissions refused as `round-being-decided`: decided again when the countdown's end or the phase changes. */
  private deferred: QueuedSubmission[] = [];

  private isExpiring = false;

  get size(): number {
    return this.waiting.length + this.batch.length + this.deferred.length;
  }

  /** The submissions that are being decided or appended. */
  get batch(): readonly QueuedSubmission[] {
    return this.currentBatch;
  }

  get isWaiting(): boolean {
    return this.waiting.length > 0;
  }

  add(submission: QueuedSubmission): void {
    this.waiting.push(submission);
    if (!this.isExpiring) void this.expireWhileWaiting();
  }

  beginBatch(maxCount: number): void {
    this.currentBatch = this.waiting.splice(0, maxCount);
  }

  /** Removes the batch from the queue, and returns it. */
  endBatch(): QueuedSubmission[] {
    return this.currentBatch.splice(0);
  }

  /** Puts the batch, or all but its first submissions, back at the head of the queue. */
  requeue(keptCount = 0): void {
    this.waiting.unshift(...this.currentBatch.splice(keptCount));
  }

  rejectOneOfBatch(index: number, error: Error): void {
    this.currentBatch.splice(index, 1)[0]?.reject(error);
  }

  defer(submission: QueuedSubmission): void {
    this.deferred.push(submission);
  }

  /** Puts the deferred submissions back at the head of the queue: they are decided again, before later ones. */
  requeueDeferred(): void {
    this.waiting.unshift(...this.deferred.splice(0));
  }

  rejectWaiting(error: Error): void {
    for (const { reject } of this.waiting.splice(0)) reject(error);
  }

  rejectAll(error: Error): void {
    for (const { reject } of [...this.currentBatch, ...this.waiting.splice(0), ...this.deferred.splice(0)])
      reject(error);
  }

  /** Rejects the submissions that arrived too long ago. Those outside the batch are removed: their events were never sent. */
  rejectExpired(): void {
    for (const submission of this.currentBatch)
      if (this.isExpired(submission)) submission.reject(new Unavailable('the outcome of the append is unknown'));
    this.waiting = this.withoutExpired(this.waiting);
    this.deferred = this.withoutExpired(this.deferred);
  }

  get isBatchExpired(): boolean {
    return this.currentBatch.every(this.isExpired);
  }

  /** Rejects expired submissions even while a read or an append does not end. */
  private async expireWhileWaiting(): Promise<void> {
    this.isExpiring = true;
    while (this.size > 0) {
      await sleep(EXPIRY_INTERVAL_MS, undefined, { ref: false });
      this.rejectExpired();
    }
    this.isExpiring = false;
  }

  private withoutExpired(submissions: QueuedSubmission[]): QueuedSubmission[] {
    for (const { reject } of submissions.filter(this.isExpired))
      reject(new Unavailable('the log did not accept the command in time'));
    return submissions.filter((submission) => !this.isExpired(submission));
  }

  private readonly isExpired = ({ expiresAtMonotonicMs }: QueuedSubmission): boolean =>
    expiresAtMonotonicMs < performance.now();
}
