import type { User } from '../core/access.js';
import type { LogWriter, Outcome } from '../log/log-writer.js';
import { type ProposedEvent, sizeOf } from '../log/proposed-event.js';
import type { AccessControl } from './access-control.js';
import {
  batchAccessDenied,
  batchBadRequest,
  batchStreamDeleted,
  batchSuccess,
  batchTimeout,
  batchTooLarge,
  batchWrongVersion,
} from './append-answers.js';
import { APPEND_LIMIT_BYTES, APPEND_LIMIT_EVENTS, TOO_MANY_EVENTS } from './append-calls.js';
import { type AppendOptions, type BatchAppendMessage, decodeBatchAppend } from './append-messages.js';
import type { GrpcCall } from './grpc-call.js';
import { GrpcError, Status } from './grpc-status.js';
import { refuseStreamName } from './stream-names.js';

/** When this much waits to be committed, clients are not read from until it is less. */
const PENDING_LIMIT_BYTES = 32 * 1024 * 1024;
/** Appends of one call that have begun and not ended. */
const UNFINISHED_APPENDS_LIMIT = 1_000;
const UNFINISHED_LIMIT_BYTES = 64 * 1024 * 1024;

interface UnfinishedAppend {
  options: AppendOptions;
  events: ProposedEvent[];
  /** As it counts against the limit. */
  size: number;
  /** What its messages keep in memory: nothing once it is refused. */
  bytes: number;
  /** The answer, when the append is already known to fail; it is sent after the append's last message. */
  refusal: Buffer | undefined;
}

const NO_OPTIONS: AppendOptions = { stream: '', expectation: 'any', deadlineMs: Number.POSITIVE_INFINITY };

/**
 * BatchAppend: many appends over one call, told apart by correlation ids. Each is answered exactly once and after its
 * last message: the client breaks down on a second answer, and waits for ever for one that does not come.
 */
export class BatchAppendCall {
  private readonly unfinished = new Map<string, UnfinishedAppend>();
  private unfinishedBytes = 0;
  private unanswered = 0;
  private whenAnswered: (() => void) | undefined;
  private paused = false;

  constructor(
    private readonly call: GrpcCall,
    private readonly writer: Pick<LogWriter, 'submit' | 'pendingBytes'>,
    private readonly access: AccessControl,
    private readonly user: User | undefined,
  ) {}

  async serve(): Promise<void> {
    try {
      await this.call.receive((message) => this.take(decodeBatchAppend(message), message.length));
    } finally {
      this.call.budget.giveBack(this.unfinishedBytes);
    }
    if (this.unanswered === 0) return;
    await new Promise<void>((resolve) => {
      this.whenAnswered = resolve;
    });
  }

  private take(message: BatchAppendMessage, bytes: number): void {
    const { correlationId } = message;
    const append = this.unfinished.get(correlationId) ?? this.begin(message);
    if (message.problem !== undefined)
      append.refusal ??= batchBadRequest(correlationId, append.options, message.problem);
    this.collect(append, message);
    this.keep(append, append.refusal === undefined ? append.bytes + bytes : 0);
    if (!message.isFinal) return;
    this.unfinished.delete(correlationId);
    this.unfinishedBytes -= append.bytes;
    this.unanswered++;
    this.carryOut(correlationId, append)
      .then(
        (answer) => this.answer(answer),
        (error: unknown) => this.call.fail(error instanceof GrpcError ? error : unexpected(error)),
      )
      .finally(() => this.call.budget.giveBack(append.bytes));
  }

  private begin({ correlationId, options }: BatchAppendMessage): UnfinishedAppend {
    if (this.unfinished.size >= UNFINISHED_APPENDS_LIMIT) {
      throw new GrpcError(Status.RESOURCE_EXHAUSTED, `More than ${UNFINISHED_APPENDS_LIMIT} appends are unfinished.`);
    }
    const problem =
      options === undefined
        ? 'The first message of an append must hold its options.'
        : refuseStreamName(options.stream);
    const known = options ?? NO_OPTIONS;
    const refusal = problem === undefined ? undefined : batchBadRequest(correlationId, known, problem);
    const append = { options: known, events: [], size: 0, bytes: 0, refusal };
    this.unfinished.set(correlationId, append);
    return append;
  }

  private keep(append: UnfinishedAppend, bytes: number): void {
    const more = bytes - append.bytes;
    if (this.unfinishedBytes + more > UNFINISHED_LIMIT_BYTES) {
      throw new GrpcError(
        Status.RESOURCE_EXHAUSTED,
        `Unfinished appends hold more than ${UNFINISHED_LIMIT_BYTES} bytes.`,
      );
    }
    this.call.budget.take(more);
    this.unfinishedBytes += more;
    append.bytes = bytes;
  }

  private collect(append: UnfinishedAppend, message: BatchAppendMessage): void {
    for (const event of message.events) append.size += sizeOf(event);
    if (append.size > APPEND_LIMIT_BYTES) {
      append.refusal ??= batchTooLarge(message.correlationId, append.options, APPEND_LIMIT_BYTES);
    }
    if (append.events.length + message.events.length > APPEND_LIMIT_EVENTS) {
      append.refusal ??= batchBadRequest(message.correlationId, append.options, TOO_MANY_EVENTS);
    }
    if (append.refusal !== undefined) append.events = [];
    else if (append.events.length === 0) append.events = message.events;
    else append.events = append.events.concat(message.events);
  }

  private async carryOut(correlationId: string, append: UnfinishedAppend): Promise<Buffer> {
    if (append.refusal !== undefined) return append.refusal;
    const { stream, expectation, deadlineMs } = append.options;
    if (!(await this.access.allows(this.user, 'write', stream)))
      return batchAccessDenied(correlationId, append.options);
    const outcome = await new Promise<Outcome>((settle) => {
      const { events, bytes } = append;
      this.writer.submit({ kind: 'append', stream, expectation, events, bytes, deadlineMs, settle });
      this.holdBack();
    });
    switch (outcome.kind) {
      case 'done':
        return batchSuccess(correlationId, append.options, outcome);
      case 'wrong-expected-version':
        return batchWrongVersion(correlationId, append.options, outcome.currentRevision);
      case 'stream-deleted':
        return batchStreamDeleted(correlationId, append.options);
      case 'timeout':
        return batchTimeout(correlationId, append.options);
    }
  }

  private answer(frame: Buffer): void {
    this.call.sendSoon(frame);
    this.unanswered--;
    if (this.unanswered === 0) this.whenAnswered?.();
    // With no answer to come, nothing else would wake this call, however much of others still waits.
    if (this.paused && (this.unanswered === 0 || this.writer.pendingBytes < PENDING_LIMIT_BYTES / 2)) {
      this.paused = false;
      this.call.resumeReceiving();
    }
  }

  private holdBack(): void {
    if (this.paused || this.writer.pendingBytes < PENDING_LIMIT_BYTES) return;
    this.paused = true;
    this.call.pauseReceiving();
  }
}

function unexpected(error: unknown): GrpcError {
  console.error('An append failed:', error);
  return new GrpcError(Status.INTERNAL, 'The server failed to carry out an append; its log says why.');
}
