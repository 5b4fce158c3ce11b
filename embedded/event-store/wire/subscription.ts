import { randomUUID } from 'node:crypto';
import { frameLength } from '../log/event-frame.js';
import type { EventLog } from '../log/event-log.js';
import { AllSource } from '../read/all-source.js';
import type { ReadPlan } from '../read/read-plan.js';
import { applyFilter, type Span } from '../read/span.js';
import { StreamSource } from '../read/stream-source.js';
import type { EventOutput } from './event-output.js';
import type { GrpcCall } from './grpc-call.js';
import { GrpcError, Status } from './grpc-status.js';
import { CAUGHT_UP, checkpoint, confirmation, FELL_BEHIND } from './read-answers.js';

/**
 * One loop for catching up and for following: it takes what lies after its place and sends it, at the pace at which
 * the client reads. A slow client is thus never dropped; it only falls back to reading from the disk.
 */
export async function subscribe(call: GrpcCall, log: EventLog, plan: ReadPlan, output: EventOutput): Promise<void> {
  const start = startOf(log, plan);
  const source = await sourceOf(log, plan, start);
  const checkpoints = new Checkpoints(plan, output, call.gone, start);
  await output.message(confirmation(randomUUID()));
  await output.flush();
  let live = false;
  while (!call.gone.aborted) {
    if (live && !source.inMemory) {
      live = false;
      await output.message(FELL_BEHIND);
    }
    for (const span of await source.next()) await checkpoints.consider(span);
    if (source.atEnd && !live) {
      live = true;
      if (plan.filter !== undefined) await checkpoints.send();
      await output.message(CAUGHT_UP);
    }
    await output.flush();
    if (source.atEnd) await growth(log, source, call.gone);
  }
}

/** Sends the events that pass the filter, and a checkpoint after every so many that were considered. */
class Checkpoints {
  private considered = 0;

  /** @param position of the last event considered; 0 before the first */
  constructor(
    private readonly plan: ReadPlan,
    private readonly output: EventOutput,
    private readonly gone: AbortSignal,
    private position: number,
  ) {}

  async consider(span: Span): Promise<void> {
    const { filter, checkpointEvery } = this.plan;
    if (filter === undefined) return this.output.events(span);
    for (let from = span.from; from < span.to; ) {
      const part = this.take(span, from, checkpointEvery - this.considered);
      for (const wanted of await applyFilter(part, filter, this.gone)) await this.output.events(wanted);
      if (this.considered === checkpointEvery) await this.send();
      from = part.to;
    }
  }

  async send(): Promise<void> {
    this.considered = 0;
    if (this.position > 0) await this.output.message(checkpoint(this.position));
  }

  /** The next events up to a number of them. */
  private take(span: Span, from: number, limit: number): Span {
    const { run } = span;
    let to = from;
    for (let count = 0; count < limit && to < span.to; count++) {
      this.position = run.position + to;
      this.considered++;
      to += frameLength(run.bytes, to);
    }
    return { run, from, to };
  }
}

/** The subscription begins after this position, and considers it done. */
function startOf(log: EventLog, { stream, from }: ReadPlan): number {
  if (stream !== undefined || from === 'start') return 0;
  if (from === 'end') return log.head - 1;
  if (from < log.head) return from;
  throw new GrpcError(Status.FAILED_PRECONDITION, `The position ${from} lies after the end of this log, ${log.head}.`);
}

async function sourceOf(log: EventLog, plan: ReadPlan, start: number): Promise<AllSource | StreamSource> {
  const { stream, from } = plan;
  if (stream !== undefined) {
    const last = from === 'end' ? (await log.view(stream)).lastRevision : from;
    return new StreamSource(log, stream, last === 'start' ? 0 : last + 1);
  }
  return new AllSource(log, start + 1);
}

/** Until the log has grown, or the client has gone. */
function growth(log: EventLog, source: { atEnd: boolean }, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (!source.atEnd || gone.aborted) return resolve();
    const done = () => {
      takeBack();
      gone.removeEventListener('abort', done);
      resolve();
    };
    const takeBack = log.onGrowth(done);
    gone.addEventListener('abort', done);
  });
}
