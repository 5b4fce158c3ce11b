import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { type EventFilter, prefixFilter, regexFilter } from '../core/event-filter.js';
import { UnsupportedRegexError } from '../core/regex-syntax.js';
import type { ReadPlan } from '../read/read-plan.js';
import { decodeWith } from './generated-messages.js';
import { invalidArgument } from './grpc-status.js';
import { readableStreamName } from './stream-names.js';

/** The window of a filter when the client names none, as on the real server. */
const DEFAULT_WINDOW = 32;
const PREFIX_LIMIT = 1_000;

export function decodeRead(message: Buffer): ReadPlan {
  const options = decodeWith(streams.ReadReq, message).getOptions();
  if (options === undefined) throw invalidArgument('A read must have options.');
  const subscription = options.hasSubscription();
  if (!subscription && options.getCountOptionCase() !== streams.ReadReq.Options.CountOptionCase.COUNT) {
    throw invalidArgument('A read must say how many events, or that it is a subscription.');
  }
  const backwards = options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS;
  if (subscription && backwards) throw invalidArgument('A subscription goes forwards.');
  const filterOptions = options.getFilter();
  if (filterOptions !== undefined && options.hasStream()) throw invalidArgument('Only $all can be filtered.');
  return {
    ...target(options),
    direction: backwards ? 'backwards' : 'forwards',
    maxCount: subscription ? undefined : Number(options.getCount()),
    filter: filterOptions && decodeFilter(filterOptions),
    checkpointEvery: filterOptions === undefined ? Number.POSITIVE_INFINITY : checkpointEvery(filterOptions),
    resolveLinks: options.getResolveLinks(),
    structuredIds: options.getUuidOption()?.hasStructured() ?? false,
  };
}

function target(options: ReadReq.Options): Pick<ReadPlan, 'stream' | 'from'> {
  const stream = options.getStream();
  if (stream !== undefined) {
    const name = readableStreamName(stream.getStreamIdentifier());
    return { stream: name, from: stream.hasRevision() ? Number(stream.getRevision()) : edge(stream) };
  }
  const all = options.getAll();
  if (all === undefined) throw invalidArgument('A read must name a stream or $all.');
  const position = all.getPosition();
  return { stream: undefined, from: position === undefined ? edge(all) : Number(position.getCommitPosition()) };
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
  if (prefixes.length > 0) return prefixFilter(on, prefixes);
  try {
    return regexFilter(on, expression.getRegex());
  } catch (error) {
    if (error instanceof UnsupportedRegexError) throw invalidArgument(`The filter cannot be used: ${error.message}`);
    throw error;
  }
}

function checkpointEvery(options: ReadReq.Options.FilterOptions): number {
  const window = options.hasMax() ? options.getMax() : DEFAULT_WINDOW;
  const interval = options.getCheckpointintervalmultiplier();
  if (window < 1 || interval < 1) throw invalidArgument('The window and the checkpoint interval must be at least 1.');
  return window * interval;
}
