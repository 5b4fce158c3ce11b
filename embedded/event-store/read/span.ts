import type { EventFilter } from '../core/event-filter.js';
import { FrameView, frameLength } from '../log/event-frame.js';
import type { Run } from '../log/run.js';

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
    if (matches(new FrameView(run.bytes, offset))) {
      const last = selected.at(-1);
      if (last?.to === offset) last.to = next;
      else selected.push({ run, from: offset, to: next });
    }
    offset = next;
  }
  return selected;
}

export function applyFilter(span: Span, filter: EventFilter | undefined): Span[] {
  if (filter === undefined) return [span];
  if (filter.on === 'stream') return filter.matches(span.run.stream) ? [span] : [];
  return selectFrames(span, (frame) => filter.matches(frame.type));
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
