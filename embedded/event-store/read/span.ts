import type { EventFilter } from '../core/event-filter.js';
import { FrameView, frameLength } from '../log/event-frame.js';
import type { Run } from '../log/run.js';
import { turns } from './turns.js';

/** Whole events of a run: those whose frames lie at [from, to) in its bytes. */
export interface Span {
  run: Run;
  from: number;
  to: number;
}

export function wholeRun(run: Run): Span {
  return { run, from: 0, to: run.bytes.length };
}

export function bytesOf(span: Span): Buffer {
  return span.run.bytes.subarray(span.from, span.to);
}

/** The events of a span that match, in as few spans as possible. */
export function selectFrames(span: Span, matches: (frame: FrameView) => boolean): Span[] {
  const { run } = span;
  const selected: Span[] = [];
  for (let offset = span.from; offset < span.to; ) {
    const next = offset + frameLength(run.bytes, offset);
    if (matches(new FrameView(run.bytes, offset))) addFrame(selected, run, offset, next);
    offset = next;
  }
  return selected;
}

/** The events of a span that pass a filter, in as few spans as possible; for a reader who has gone no more are sought. */
export async function applyFilter(span: Span, filter: EventFilter | undefined, gone: AbortSignal): Promise<Span[]> {
  if (filter === undefined) return [span];
  const { run } = span;
  if (filter.on === 'stream') return (await matchesInTurn(filter, run.stream)) ? [span] : [];
  const selected: Span[] = [];
  for (let offset = span.from; offset < span.to && !gone.aborted; ) {
    const next = offset + frameLength(run.bytes, offset);
    const answer = matchesInTurn(filter, new FrameView(run.bytes, offset).type);
    if (typeof answer === 'boolean' ? answer : await answer) addFrame(selected, run, offset, next);
    offset = next;
  }
  return selected;
}

/** @returns a promise when others must be served meanwhile */
function matchesInTurn(filter: EventFilter, text: string): boolean | Promise<boolean> {
  const startedMs = performance.now();
  const answer = filter.matches(text);
  turns.spend(performance.now() - startedMs);
  return turns.end()?.then(() => answer) ?? answer;
}

function addFrame(selected: Span[], run: Run, from: number, to: number): void {
  const last = selected.at(-1);
  if (last?.to === from) last.to = to;
  else selected.push({ run, from, to });
}

/** One span for each event, the newest first. */
export function reversed(span: Span): Span[] {
  const events: Span[] = [];
  for (let offset = span.from; offset < span.to; ) {
    const next = offset + frameLength(span.run.bytes, offset);
    events.push({ run: span.run, from: offset, to: next });
    offset = next;
  }
  return events.reverse();
}
