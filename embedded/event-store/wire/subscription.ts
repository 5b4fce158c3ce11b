import { randomUUID } from 'node:crypto';
import type { EventLog } from '../log/event-log.js';
import { MessageWriter } from '../log/protobuf.js';
import { AllSource, StreamSource } from '../read/sources.js';
import { applyFilter, eventsOf, type Span } from '../read/span.js';
import type { EventOutput } from './event-output.js';
import type { GrpcCall } from './grpc-call.js';
import type { ReadPlan } from './read-request.js';

const CAUGHT_UP = new MessageWriter().empty(8).frame();
const FELL_BEHIND = new MessageWriter().empty(9).frame();

interface Position {
  commit: number | bigint;
  prepare: number | bigint;
}

/** EventStoreDB's position -1, "before the beginning", as an unsigned number. */
const BEFORE_BEGINNING: Position = { commit: 2n ** 64n - 1n, prepare: 2n ** 64n - 1n };

/**
 * Serves a subscription with one loop for catch-up and live events, at the pace at which the client reads. A slow client
 * is never dropped; it falls back to reading from the disk.
 */
export async function subscribe(call: GrpcCall, log: EventLog, plan: ReadPlan, output: EventOutput): Promise<void> {
  const source = await sourceOf(log, plan);
  const filtered = new FilteredOutput(plan, output, call.gone);
  await output.frames(new MessageWriter().message(2, (confirmation) => confirmation.string(1, randomUUID())).frame());
  await output.flush();
  let live = false;
  while (!call.gone.aborted) {
    if (live && !source.inMemory) {
      live = false;
      await output.frames(FELL_BEHIND);
    }
    for (const span of await source.next()) await filtered.send(span, live);
    if (source.atEnd && !live) {
      live = true;
      // This checkpoint names the last full window or match, not the end of the log.
      if (plan.filter !== undefined) await filtered.sendCheckpoint();
      await output.frames(CAUGHT_UP);
    }
    await output.flush();
    if (source.atEnd) await waitForGrowth(log, source, call.gone);
  }
}

/** Sends the events that pass the filter, and the checkpoints of a filtered subscription. */
class FilteredOutput {
  private consideredInWindow = 0;
  private windows = 0;
  /** Position of the last full window or match. */
  private position = BEFORE_BEGINNING;

  constructor(
    private readonly plan: ReadPlan,
    private readonly output: EventOutput,
    private readonly gone: AbortSignal,
  ) {}

  async send(span: Span, live: boolean): Promise<void> {
    const { filter, window, checkpointInterval } = this.plan;
    if (filter === undefined) return this.output.events(span);
    const events = eventsOf(span);
    for (let next = 0; next < events.length; ) {
      const considered = events.slice(next, next + window - this.consideredInWindow);
      next += considered.length;
      this.consideredInWindow += considered.length;
      const part = { ...span, from: considered[0]!.from, to: considered.at(-1)!.to };
      for (const match of await applyFilter(part, filter, this.gone)) {
        await this.output.events(match);
        this.position = positionOf(eventsOf(match).at(-1)!);
      }
      if (this.consideredInWindow < window) continue;
      this.consideredInWindow = 0;
      this.windows += 1;
      // As in EventStoreDB: during catch-up the checkpoint names the next event, which is not considered yet.
      this.position = live ? positionOf(considered.at(-1)!) : { commit: span.run.position + part.to, prepare: 0 };
      if (this.windows % checkpointInterval === 0) await this.sendCheckpoint();
    }
  }

  async sendCheckpoint(): Promise<void> {
    const { commit, prepare } = this.position;
    const checkpoint = new MessageWriter().message(3, (message) => message.varint(2, prepare).varint(1, commit));
    await this.output.frames(checkpoint.frame());
  }
}

function positionOf({ run, from }: Span): Position {
  return { commit: run.position + from, prepare: run.position + from };
}

async function sourceOf(log: EventLog, { stream, from }: ReadPlan): Promise<AllSource | StreamSource> {
  if (stream !== undefined) {
    const last = from === 'end' ? (await log.view(stream)).lastRevision : from;
    return new StreamSource(log, stream, last === 'start' ? 0 : last + 1);
  }
  // Like EventStoreDB, this accepts a position beyond the end and sends nothing up to there.
  return new AllSource(log, from === 'start' ? 0 : from === 'end' ? log.head : from);
}

/** Resolves when the log has grown, or the client has gone. */
function waitForGrowth(log: EventLog, source: { atEnd: boolean }, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (!source.atEnd || gone.aborted) return resolve();
    const done = () => {
      forget();
      gone.removeEventListener('abort', done);
      resolve();
    };
    const forget = log.onGrowth(done);
    gone.addEventListener('abort', done);
  });
}
