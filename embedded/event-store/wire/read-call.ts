import { isSoftDeleted, NO_EVENTS } from '../core/stream-state.js';
import type { EventLog } from '../log/event-log.js';
import { countFrames, skipFrames } from '../log/run.js';
import { AllSource } from '../read/all-source.js';
import { allBackwards, streamBackwards } from '../read/backwards.js';
import type { ReadPlan } from '../read/read-plan.js';
import { applyFilter, type Span } from '../read/span.js';
import { StreamSource, StreamTombstonedError } from '../read/stream-source.js';
import { type AccessControl, ALL_STREAM } from './access-control.js';
import { streamDeletedError } from './append-answers.js';
import { EventOutput } from './event-output.js';
import type { GrpcCall } from './grpc-call.js';
import { streamNotFound } from './read-answers.js';
import { decodeRead } from './read-request.js';
import { subscribe } from './subscription.js';

/** Read: a stretch of a stream or of `$all` in either direction, or a subscription. */
export async function serveRead(call: GrpcCall, log: EventLog, access: AccessControl): Promise<void> {
  const user = access.authenticate(call);
  const plan = decodeRead(await call.receiveOne());
  await access.require(user, 'read', plan.stream ?? ALL_STREAM);
  const output = new EventOutput(call, log, plan, (stream) => access.allows(user, 'read', stream));
  try {
    if (plan.maxCount === undefined) await subscribe(call, log, plan, output);
    else await readStretch(call, log, plan, plan.maxCount, output);
  } catch (error) {
    if (error instanceof StreamTombstonedError) throw streamDeletedError(plan.stream!);
    throw error;
  }
}

async function readStretch(call: GrpcCall, log: EventLog, plan: ReadPlan, maxCount: number, output: EventOutput) {
  let left = maxCount;
  const isDone = () => left === 0 || call.gone.aborted;
  for await (const page of pagesOf(log, plan, output)) {
    for (const found of page) {
      if (isDone()) break;
      for (const span of await applyFilter(found, plan.filter, call.gone)) {
        if (isDone()) break;
        const count = countFrames(span.run.bytes, span.from, span.to);
        await output.events(count <= left ? span : { ...span, to: skipFrames(span.run, span.from, left) });
        left -= Math.min(count, left);
      }
    }
    if (isDone()) break;
  }
  await output.flush();
}

async function* pagesOf(log: EventLog, plan: ReadPlan, output: EventOutput): AsyncGenerator<Span[]> {
  if (plan.stream === undefined) {
    yield* plan.direction === 'forwards' ? allForwards(log, plan.from) : allBackwards(log, allStart(plan.from));
    return;
  }
  const view = await log.view(plan.stream);
  if (view.tombstoned) throw new StreamTombstonedError();
  if (view.lastRevision === NO_EVENTS || isSoftDeleted(view)) {
    await output.message(streamNotFound(plan.stream));
    return;
  }
  const last = view.lastRevision;
  if (plan.direction === 'backwards')
    yield* streamBackwards(log, view, plan.from === 'start' ? 0 : atMost(plan.from, last));
  else if (plan.from !== 'end') yield* streamForwards(log, plan.stream, plan.from === 'start' ? 0 : plan.from, last);
}

/** Ends at what was the end when it began, so that a busy log does not keep a reader for ever. */
async function* allForwards(log: EventLog, from: ReadPlan['from']): AsyncGenerator<Span[]> {
  const end = log.head;
  const source = new AllSource(log, from === 'start' ? 0 : from === 'end' ? end : from);
  while (source.position < end) yield (await source.next()).filter((span) => span.run.position < end);
}

async function* streamForwards(log: EventLog, stream: string, from: number, last: number): AsyncGenerator<Span[]> {
  const source = new StreamSource(log, stream, from);
  while (source.revision <= last) {
    const page = await source.next();
    if (page.length === 0 && source.atEnd) return;
    yield page.filter((span) => span.run.firstRevision <= last);
  }
}

function allStart(from: ReadPlan['from']): number {
  if (from === 'start') return 0;
  return from === 'end' ? Number.POSITIVE_INFINITY : from;
}

function atMost(from: 'end' | number, last: number): number {
  return from === 'end' ? last : Math.min(from, last);
}
