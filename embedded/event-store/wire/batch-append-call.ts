import type { LogWriter } from '../log/log-writer.js';
import type { AccessControl, User } from './access-control.js';
import { batchRefusal, batchSuccess, refusalOf } from './append-answers.js';
import { ReceivedEvents } from './append-calls.js';
import { type AppendOptions, assertWritable, type BatchAppendMessage, decodeBatchAppend } from './append-requests.js';
import type { GrpcCall } from './grpc-call.js';
import { GrpcError, invalidArgument, Status } from './grpc-status.js';

/** While more bytes than this wait to be committed, the server reads no further appends. */
const PENDING_LIMIT_BYTES = 32 * 1024 * 1024;
/** Limit for incomplete appends of one call. */
const UNFINISHED_APPENDS_LIMIT = 1_000;
const UNFINISHED_LIMIT_BYTES = 64 * 1024 * 1024;
/** EventStoreDB answers an append with an invalid event again after this time; client 6.2.1 then throws. */
const SECOND_ANSWER_MS = 2_000;
const NO_OPTIONS: AppendOptions = { stream: '', expectation: 'any', deadlineMs: Number.POSITIVE_INFINITY };

interface UnfinishedAppend {
  options: AppendOptions;
  received: ReceivedEvents;
  /** Bytes that its messages keep in memory: 0 after a refusal. */
  bytes: number;
  /** Set as soon as the append must be refused; the answer is sent after the append's last message. */
  refusal: GrpcError | undefined;
  hasInvalidEvent: boolean;
}

/**
 * Serves BatchAppend: many appends over one call, distinguished by correlation ids. Each is answered once, after its last
 * message, except that EventStoreDB's second answer to an invalid event is given here too.
 */
export class BatchAppendCall {
  private readonly unfinished = new Map<string, UnfinishedAppend>();
  private unfinishedBytes = 0;
  private unanswered = 0;
  private whenAnswered: (() => void) | undefined;
  private paused = false;

  constructor(
    private readonly call: GrpcCall,
    private readonly writer: Pick<LogWriter, 'write' | 'pendingBytes'>,
    private readonly access: Pick<AccessControl, 'require'>,
    private readonly user: User | undefined,
  ) {}

  async serve(): Promise<void> {
    try {
      await this.call.receive((message) => this.take(decodeBatchAppend(message), message.length));
    } finally {
      this.call.budget.take(-this.unfinishedBytes);
    }
    if (this.unanswered === 0) return;
    await new Promise<void>((resolve) => {
      this.whenAnswered = resolve;
    });
  }

  private take(message: BatchAppendMessage, bytes: number): void {
    const { correlationId } = message;
    const append = this.unfinished.get(correlationId) ?? this.begin(message);
    this.collect(append, message);
    this.keep(append, append.refusal === undefined ? append.bytes + bytes : 0);
    if (!message.isFinal) return;
    this.unfinished.delete(correlationId);
    this.unfinishedBytes -= append.bytes;
    this.unanswered++;
    this.answerTo(correlationId, append)
      .then(
        (answer) => {
          this.answer(answer);
          if (append.hasInvalidEvent) setTimeout(() => this.call.sendSoon(answer), SECOND_ANSWER_MS).unref();
        },
        (error: unknown) => this.call.fail(error),
      )
      .finally(() => this.call.budget.take(-append.bytes));
  }

  private begin({ correlationId, options = NO_OPTIONS }: BatchAppendMessage): UnfinishedAppend {
    if (this.unfinished.size >= UNFINISHED_APPENDS_LIMIT) {
      throw new GrpcError(Status.RESOURCE_EXHAUSTED, `More than ${UNFINISHED_APPENDS_LIMIT} appends are unfinished.`);
    }
    const received = new ReceivedEvents();
    const append: UnfinishedAppend = { options, received, bytes: 0, refusal: undefined, hasInvalidEvent: false };
    this.unfinished.set(correlationId, append);
    return append;
  }

  private collect(append: UnfinishedAppend, { events, refusal }: BatchAppendMessage): void {
    append.hasInvalidEvent ||= refusal !== undefined;
    try {
      if (append.refusal !== undefined) return;
      if (append.options === NO_OPTIONS) throw invalidArgument('The first message of an append must hold its options.');
      assertWritable(append.options.stream);
      if (refusal !== undefined) throw refusal;
      for (const event of events) append.received.add(event);
    } catch (error) {
      if (!(error instanceof GrpcError)) throw error;
      append.refusal = error;
      append.received = new ReceivedEvents();
    }
  }

  private keep(append: UnfinishedAppend, bytes: number): void {
    const more = bytes - append.bytes;
    if (this.unfinishedBytes + more > UNFINISHED_LIMIT_BYTES) {
      const text = `Unfinished appends hold more than ${UNFINISHED_LIMIT_BYTES} bytes.`;
      throw new GrpcError(Status.RESOURCE_EXHAUSTED, text);
    }
    this.call.budget.take(more);
    this.unfinishedBytes += more;
    append.bytes = bytes;
  }

  /** Carries out an append whose messages are complete. Throws the errors that end the call. */
  private async answerTo(correlationId: string, append: UnfinishedAppend): Promise<Buffer> {
    const { options, received, refusal, bytes } = append;
    try {
      // EventStoreDB checks the deadline before the size.
      if (options.deadlineMs < Date.now()) throw refusalOf({ kind: 'timeout' }, options);
      if (refusal !== undefined) throw refusal;
      await this.access.require(this.user, 'write', options.stream);
      const writing = this.writer.write({ kind: 'append', ...options, events: received.events, bytes });
      this.pauseIfBehind();
      const outcome = await writing;
      if (outcome.kind !== 'done') throw refusalOf(outcome, options);
      return batchSuccess(correlationId, options, outcome);
    } catch (error) {
      if (error instanceof GrpcError) return batchRefusal(correlationId, options, error);
      throw error;
    }
  }

  private answer(frame: Buffer): void {
    this.call.sendSoon(frame);
    this.unanswered--;
    if (this.unanswered === 0) this.whenAnswered?.();
    // After its last answer the call must resume, even while other calls still have much waiting: nothing else would resume it.
    if (this.paused && (this.unanswered === 0 || this.writer.pendingBytes < PENDING_LIMIT_BYTES / 2)) {
      this.paused = false;
      this.call.resumeReceiving();
    }
  }

  private pauseIfBehind(): void {
    if (this.paused || this.writer.pendingBytes < PENDING_LIMIT_BYTES) return;
    this.paused = true;
    this.call.pauseReceiving();
  }
}
