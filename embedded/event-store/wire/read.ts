import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { status } from '@grpc/grpc-js';
import { type CommittedLog, NO_EVENTS } from '../log/committed-log.js';
import {
  frameMessage,
  lastRevisionOf,
  offsetAtPosition,
  offsetsOf,
  type Run,
  skipFrames,
  TOMBSTONE_REVISION,
} from '../log/event-frame.js';
import { streamDeleted, streamNameOf } from './append.js';
import { type Authorize, type GrpcCall, GrpcError, invalidArgument } from './grpc-server.js';

const { BACKWARDS } = streams.ReadReq.Options.ReadDirection;

const frameOf = (response: InstanceType<typeof streams.ReadResp>): Buffer => frameMessage(response.serializeBinary());
const CAUGHT_UP = frameOf(new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp()));

/** Whole events of a run: those whose frames lie at [from, to) in its bytes. */
interface Span {
  run: Run;
  from: number;
  to: number;
}

/** Events to send, and the place after them: a position in `$all`, or a revision in a stream. */
interface Page {
  spans: Span[];
  next: number;
}

/** Serves Read: events of a stream in either direction, of `$all` forwards, or a subscription to `$all`. */
export async function serveRead(call: GrpcCall, log: CommittedLog, authorize: Authorize): Promise<void> {
  const options = streams.ReadReq.deserializeBinary(await call.receiveOne()).getOptions();
  if (options === undefined) throw invalidArgument('A read must have options.');
  const stream = options.hasStream() ? streamNameOf(options.getStream()) : undefined;
  await authorize(call, 'read', stream ?? '$all');
  if (options.hasSubscription() && stream !== undefined) {
    throw new GrpcError(status.UNIMPLEMENTED, 'The embedded event store has subscriptions to $all only.');
  }
  const position = edgeOr(options.getAll(), () => Number(options.getAll()?.getPosition()?.getCommitPosition()));
  if (options.getAll()?.hasPosition() && !(await log.isBetweenEvents(position)))
    throw invalidArgument(`The position ${position} is within an event.`);
  if (options.hasSubscription()) return subscribe(log, options, call);
  if (stream !== undefined) return readStream(log, options, stream, call);
  if (options.getReadDirection() === BACKWARDS) {
    throw new GrpcError(status.UNIMPLEMENTED, 'The embedded event store reads $all forwards only.');
  }
  await sendUpTo(Number(options.getCount()), allForwards(log, position), call);
}

async function readStream(log: CommittedLog, options: ReadReq.Options, stream: string, call: GrpcCall) {
  const last = await log.lastRevision(stream);
  if (last === TOMBSTONE_REVISION) throw streamDeleted(stream);
  if (last === NO_EVENTS) {
    const identifier = new streams.ReadResp.StreamNotFound().setStreamIdentifier(
      options.getStream()?.getStreamIdentifier(),
    );
    return sendAll(call, [frameOf(new streams.ReadResp().setStreamNotFound(identifier))]);
  }
  const place = edgeOr(options.getStream(), () => Number(options.getStream()?.getRevision()));
  const from = Math.min(place, last + 1);
  const count = Number(options.getCount());
  if (options.getReadDirection() !== BACKWARDS)
    return sendUpTo(count, streamForwards(log, stream, from, last, count), call);
  if (count > 1 || from < last) {
    throw new GrpcError(status.UNIMPLEMENTED, 'The embedded event store reads only the last event backwards.');
  }
  await sendUpTo(1, streamForwards(log, stream, last, last, 1), call);
}

/** 0 for the start, infinite for the end, otherwise the place. */
function edgeOr(options: { hasStart(): boolean; hasEnd(): boolean } | undefined, place: () => number): number {
  if (options?.hasStart()) return 0;
  return options?.hasEnd() ? Number.POSITIVE_INFINITY : place();
}

async function sendUpTo(count: number, pages: AsyncIterable<Page>, call: GrpcCall): Promise<void> {
  let left = count;
  for await (const { spans } of pages) {
    const parts: Buffer[] = [];
    for (const { run, from, to } of spans) {
      const end = Math.min(to, skipFrames(run, from, left));
      left -= offsetsOf(run).filter((offset) => offset >= from && offset < end).length;
      parts.push(run.bytes.subarray(from, end));
    }
    await sendAll(call, parts);
    if (left <= 0 || call.gone.aborted) break;
  }
}

/** Sends a page in one write, and waits while the client reads too slowly. */
async function sendAll(call: GrpcCall, parts: readonly Buffer[]): Promise<void> {
  if (parts.length > 0) await call.send(parts.length === 1 ? parts[0]! : Buffer.concat(parts));
}

/** Yields pages from a place on. While one is sent, the next is read. */
async function* pagesFrom(place: number, read: (place: number) => Promise<Page>, hasMore: (next: number) => boolean) {
  for (let ahead: Promise<Page> | undefined = read(place); ahead !== undefined; ) {
    const page: Page = await ahead;
    ahead = hasMore(page.next) ? read(page.next) : undefined;
    // An error surfaces when the page is taken, if it is taken at all.
    ahead?.catch(() => undefined);
    yield page;
  }
}

/** Reads a page of `$all` from a position; it is empty at the current end of the log. */
const pageOfAll = (log: CommittedLog) => async (position: number) => {
  const { head } = log;
  const runs = position < head ? await log.allForwards(position) : [];
  const spans = runs.map((run) => ({ run, from: offsetAtPosition(run, position), to: run.bytes.length }));
  // A page without runs means that the log ends here.
  return { spans, next: runs.at(-1)?.end ?? Math.max(position, head) };
};

/** Reads up to the end that the log has now: a log that keeps growing must not keep the reader for ever. */
function allForwards(log: CommittedLog, from: number): AsyncGenerator<Page> {
  const end = log.head;
  return pagesFrom(from, pageOfAll(log), (next) => next < end);
}

/** Yields a stream from a revision up to the last one that it has now, or at least `count` events. */
function streamForwards(log: CommittedLog, stream: string, from: number, last: number, count: number) {
  const read = async (revision: number): Promise<Page> => {
    const runs = await log.streamForwards(stream, revision, count);
    // The stream was tombstoned meanwhile.
    if (runs.length === 0 || runs[0]!.firstRevision === TOMBSTONE_REVISION) return { spans: [], next: last + 1 };
    const beginOf = (run: Run) => skipFrames(run, 0, revision - run.firstRevision);
    const spans = runs.map((run) => ({ run, from: beginOf(run), to: run.bytes.length }));
    return { spans, next: lastRevisionOf(runs.at(-1)!) + 1 };
  };
  return pagesFrom(from, read, (next) => next <= last && next < from + count);
}

/** One loop for catch-up and live events, at the client's pace: a slow client falls back to reading the disk. */
async function subscribe(log: CommittedLog, options: ReadReq.Options, call: GrpcCall): Promise<void> {
  const matches = filterOf(options.getFilter());
  const confirmation = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID());
  await sendAll(call, [frameOf(new streams.ReadResp().setConfirmation(confirmation))]);
  let isCaughtUp = false;
  const isBehind = (position: number) => position < log.head && !call.gone.aborted;
  for (let position = startOf(options, log); !call.gone.aborted; ) {
    for await (const { spans, next } of pagesFrom(position, pageOfAll(log), isBehind)) {
      position = next;
      const matching = spans.filter(({ run }) => matches(run.stream));
      const parts = matching.map(({ run, from, to }) => run.bytes.subarray(from, to));
      const isAtEnd = position >= log.head;
      if (isAtEnd && !isCaughtUp) parts.push(CAUGHT_UP);
      isCaughtUp ||= isAtEnd;
      await sendAll(call, parts);
    }
    if (position >= log.head) await once(log.growth, 'grew', { signal: call.gone }).catch(() => undefined);
  }
}

/** The position at which a subscription begins. Like EventStoreDB, this accepts one beyond the end, and sends nothing up to there. */
function startOf(options: ReadReq.Options, log: CommittedLog): number {
  const position = options.getAll()?.getPosition();
  if (position === undefined) return options.getAll()?.hasEnd() ? log.head : 0;
  return Number(position.getCommitPosition()) + 1;
}

function filterOf(filter: ReadReq.Options.FilterOptions | undefined): (stream: string) => boolean {
  if (filter === undefined) return () => true;
  const prefixes = filter.getStreamIdentifier()?.getPrefixList() ?? [];
  if (prefixes.length > 0) return (stream) => prefixes.some((prefix) => stream.startsWith(prefix));
  throw new GrpcError(status.UNIMPLEMENTED, 'The embedded event store filters by prefixes of the stream only.');
}
