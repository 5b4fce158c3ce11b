import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { type EventFilter, prefixFilter, regexFilter } from '../core/event-filter.js';
import { decodeWith, streamNameOf } from './append-requests.js';
import { invalidArgument, unknownError } from './grpc-status.js';

/** The window of a filter when the client names none, as on the real server. */
const DEFAULT_WINDOW = 32;
const PREFIX_LIMIT = 1_000;

/** A decoded Read request. */
export interface ReadPlan {
  /** Undefined for `$all`. */
  stream: string | undefined;
  direction: 'forwards' | 'backwards';
  /**
   * A revision of the stream, or a position in `$all`. A subscription to a stream begins after the revision. A subscription
   * to `$all` begins at the position: decoding adds 1 to the position of an event that the client has read.
   */
  from: 'start' | 'end' | number;
  /** The position in `$all` that the request names, if it names one. */
  position: number | undefined;
  /** Undefined for a subscription, which has no end. */
  maxCount: number | undefined;
  filter: EventFilter | undefined;
  /** Events that a filtered subscription considers at a time. */
  window: number;
  /** A checkpoint is sent after this many windows. */
  checkpointInterval: number;
  resolveLinks: boolean;
}

/** Throws GrpcError, MalformedMessageError and BadRegexError. */
export function decodeRead(message: Buffer): ReadPlan {
  const options = decodeWith(streams.ReadReq, message).getOptions();
  if (options === undefined) throw invalidArgument('A read must have options.');
  const isSubscription = options.hasSubscription();
  if (!isSubscription && options.getCountOptionCase() !== streams.ReadReq.Options.CountOptionCase.COUNT) {
    throw invalidArgument('A read must say how many events, or that it is a subscription.');
  }
  const backwards = options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS;
  if (isSubscription && backwards) throw invalidArgument('A subscription goes forwards.');
  const filterOptions = options.getFilter();
  if (filterOptions !== undefined && options.hasStream()) throw invalidArgument('Only $all can be filtered.');
  if (options.getUuidOption()?.hasStructured()) throw invalidArgument('This server names ids as text only.');
  const plan: ReadPlan = {
    ...target(options, isSubscription),
    direction: backwards ? 'backwards' : 'forwards',
    maxCount: isSubscription ? undefined : Number(options.getCount()),
    filter: filterOptions && decodeFilter(filterOptions),
    window: filterOptions?.hasMax() ? filterOptions.getMax() : DEFAULT_WINDOW,
    checkpointInterval: filterOptions?.getCheckpointintervalmultiplier() ?? 1,
    resolveLinks: options.getResolveLinks(),
  };
  if (plan.window < 1 || plan.checkpointInterval < 1) {
    throw invalidArgument('The window and the checkpoint interval must be at least 1.');
  }
  if (plan.maxCount === 0) throw unknownError('A read must ask for at least one event.');
  if (plan.stream !== undefined && !isSubscription && !backwards && plan.from === 'end') {
    throw unknownError('A stream cannot be read forwards from its end.');
  }
  return plan;
}

function target(options: ReadReq.Options, isSubscription: boolean): Pick<ReadPlan, 'stream' | 'from' | 'position'> {
  const stream = options.getStream();
  if (stream !== undefined) {
    const name = streamNameOf(stream.getStreamIdentifier());
    const from = stream.hasRevision() ? Number(stream.getRevision()) : edge(stream);
    return { stream: name, from, position: undefined };
  }
  const all = options.getAll();
  if (all === undefined) throw invalidArgument('A read must name a stream or $all.');
  const position = all.getPosition();
  if (position === undefined) return { stream: undefined, from: edge(all), position: undefined };
  const commit = Number(position.getCommitPosition());
  // A checkpoint in catch-up has a smaller prepare position: the event at its commit position was not considered yet.
  const wasRead = isSubscription && Number(position.getPreparePosition()) >= commit;
  return { stream: undefined, from: wasRead ? commit + 1 : commit, position: commit };
}

function edge(options: { hasStart(): boolean; hasEnd(): boolean }): 'start' | 'end' {
  if (options.hasEnd()) return 'end';
  if (options.hasStart()) return 'start';
  throw invalidArgument('A read must say where it begins.');
}

function decodeFilter(options: ReadReq.Options.FilterOptions): EventFilter {
  const onStream = options.getStreamIdentifier();
  const expression = onStream ?? options.getEventType();
  if (expression === undefined) throw invalidArgument('A filter must be on streams or on event types.');
  const on = onStream === undefined ? 'type' : 'stream';
  const prefixes = expression.getPrefixList();
  if (prefixes.length > PREFIX_LIMIT) throw invalidArgument(`A filter may have ${PREFIX_LIMIT} prefixes.`);
  return prefixes.length > 0 ? prefixFilter(on, prefixes) : regexFilter(on, expression.getRegex());
}
