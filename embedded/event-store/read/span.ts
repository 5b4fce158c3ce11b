import type { EventFilter } from '../core/event-filter.js';
import { FrameView, frameLength } from '../log/event-frame.js';
import type { Run } from '../log/run.js';

/** Whole events of a run: those whose frames lie at [from, to) in its bytes. */
export interface Span {
  run: Run;
  from: number;
  to: number;
}

export const bytesOf = ({ run, from, to }: Span): Buffer => run.bytes.subarray(from, to);

/** Returns one span per event. */
export function eventsOf({ run, from, to }: Span): Span[] {
  const events: Span[] = [];
  for (let offset = from; offset < to; ) {
    const next = offset + frameLength(run.bytes, offset);
    events.push({ run, from: offset, to: next });
    offset = next;
  }
  return events;
}

export const frameOf = ({ run, from }: Span): FrameView => new FrameView(run.bytes, from);

/** Joins the neighbours among a run's events. */
function joined(events: readonly Span[]): Span[] {
  const spans: Span[] = [];
  for (const event of events) {
    const last = spans.at(-1);
    if (last?.to === event.from) last.to = event.to;
    else spans.push({ ...event });
  }
  return spans;
}

/** Returns the events created at this time (epoch milliseconds) or later, in as few spans as possible. */
export const youngerThan = (span: Span, oldestMs: number | undefined): Span[] =>
  oldestMs === undefined ? [span] : joined(eventsOf(span).filter((event) => frameOf(event).createdMs >= oldestMs));

/** Returns the events of a span that pass a filter, in as few spans as possible; stops when the reader has gone. */
export async function applyFilter(span: Span, filter: EventFilter | undefined, gone: AbortSignal): Promise<Span[]> {
  if (filter === undefined) return [span];
  if (filter.on === 'stream') return (await matchesInTurn(filter, span.run.stream)) ? [span] : [];
  const selected: Span[] = [];
  for (const event of eventsOf(span)) {
    if (gone.aborted) break;
    const answer = matchesInTurn(filter, frameOf(event).type);
    if (typeof answer === 'boolean' ? answer : await answer) selected.push(event);
  }
  return joined(selected);
}

/** Milliseconds of work on filters after which other calls are served first. */
const TURN_MS = 5;
let spentMs = 0;
const waiting: (() => void)[] = [];

/**
 * Tests a text. Returns a promise when other calls must be served first: events in memory are read without waiting, so a
 * reader whose filter matches nothing would otherwise keep the one thread until the end of the log.
 */
function matchesInTurn(filter: EventFilter, text: string): boolean | Promise<boolean> {
  const startedMs = performance.now();
  const answer = filter.matches(text);
  spentMs += performance.now() - startedMs;
  if (spentMs < TURN_MS) return answer;
  return new Promise((resolve) => {
    if (waiting.push(() => resolve(answer)) === 1) setImmediate(nextTurn);
  });
}

/** Lets one waiting filter go on. */
function nextTurn(): void {
  spentMs = 0;
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(nextTurn);
}
