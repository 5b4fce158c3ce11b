import { isSoftDeleted, NO_EVENTS } from '../core/stream.js';
import type { EventLog } from '../log/event-log.js';
import { MessageWriter } from '../log/protobuf.js';
import { AllSource, allBackwards, StreamSource, StreamTombstonedError, streamBackwards } from '../read/sources.js';
import { applyFilter, eventsOf, type Span } from '../read/span.js';
import { type AccessControl, ALL_STREAM } from './access-control.js';
import { refusalOf } from './append-answers.js';
import { EventOutput } from './event-output.js';
import type { GrpcCall } from './grpc-call.js';
import { invalidArgument } from './grpc-status.js';
import { decodeRead, type ReadPlan } from './read-request.js';
import { subscribe } from './subscription.js';

/** Serves Read: events of a stream or of `$all` in either direction, or a subscription. */
export async function serveRead(call: GrpcCall, log: EventLog, access: AccessControl): Promise<void> {
  const user = access.authenticate(call);
  const plan = decodeRead(await call.receiveOne());
  await access.require(user, 'read', plan.stream ?? ALL_STREAM);
  if (plan.position !== undefined && !(await log.isBetweenEvents(plan.position))) {
    throw invalidArgument(`The position ${plan.position} is within an event.`);
  }
  const output = new EventOutput(call, log, plan.resolveLinks, (stream) => access.allows(user, 'read', stream));
  try {
    if (plan.maxCount === undefined) await subscribe(call, log, plan, output);
    else await readRange(call, log, plan, plan.maxCount, output);
  } catch (error) {
    if (!(error instanceof StreamTombstonedError)) throw error;
    throw refusalOf({ kind: 'stream-deleted' }, { stream: plan.stream!, expectation: 'any' });
  }
}

async function readRange(call: GrpcCall, log: EventLog, plan: ReadPlan, maxCount: number, output: EventOutput) {
  let left = maxCount;
  const isDone = () => left === 0 || call.gone.aborted;
  for await (const page of pagesOf(log, plan, output)) {
    for (const found of page) {
      if (isDone()) break;
      for (const span of await applyFilter(found, plan.filter, call.gone)) {
        if (isDone()) break;
        const events = eventsOf(span).slice(0, left);
        await output.events({ ...span, to: events.at(-1)!.to });
        left -= events.length;
      }
    }
    if (isDone()) break;
  }
  await output.flush();
}

async function* pagesOf(log: EventLog, plan: ReadPlan, output: EventOutput): AsyncGenerator<Span[]> {
  const { stream, direction } = plan;
  const from = plan.from === 'start' ? 0 : plan.from === 'end' ? Number.POSITIVE_INFINITY : plan.from;
  if (stream === undefined) {
    yield* direction === 'forwards' ? allForwards(log, from) : allBackwards(log, from);
    return;
  }
  const view = await log.view(stream);
  if (view.tombstoned) throw new StreamTombstonedError();
  if (view.lastRevision === NO_EVENTS || isSoftDeleted(view)) {
    const notFound = new MessageWriter().message(4, (message) => message.message(1, () => message.string(3, stream)));
    await output.frames(notFound.frame());
  } else if (direction === 'backwards') yield* streamBackwards(log, view, from);
  else yield* streamForwards(log, stream, from, view.lastRevision);
}

/** Reads up to the end that the log has now: a log that keeps growing must not keep the reader for ever. */
async function* allForwards(log: EventLog, from: number): AsyncGenerator<Span[]> {
  const end = log.head;
  const source = new AllSource(log, from);
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
