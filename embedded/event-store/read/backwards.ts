import { firstVisibleRevision, type StreamView } from '../core/stream-state.js';
import type { EventLog } from '../log/event-log.js';
import { offsetAtPosition, skipFrames } from '../log/run.js';
import { reversed, type Span } from './span.js';
import { nextPageRuns, oldestVisibleMs, youngerThan } from './stream-source.js';

/** `$all` from the newest event before `position` to the oldest; one span an event. */
export async function* allBackwards(log: EventLog, position: number): AsyncGenerator<Span[]> {
  let before = Math.min(position, log.head);
  for (;;) {
    const runs = await log.allBackwards(before);
    if (runs.length === 0) return;
    for (const run of runs) {
      const to = run.end > before ? offsetAtPosition(run, before) : run.bytes.length;
      yield reversed({ run, from: 0, to });
    }
    before = runs.at(-1)!.position;
  }
}

/** A stream from a revision down to the oldest visible one; one span an event. */
export async function* streamBackwards(log: EventLog, view: StreamView, from: number): AsyncGenerator<Span[]> {
  const first = firstVisibleRevision(view);
  const oldestMs = oldestVisibleMs(view.metadata.maxAgeSeconds);
  let revision = Math.min(from, view.lastRevision);
  let limit = 1;
  while (revision >= first) {
    const runs = await log.streamBackwards(view.name, revision, limit);
    if (runs.length === 0) return;
    for (const run of runs) {
      const start = skipFrames(run, 0, Math.max(0, first - run.firstRevision));
      const to = skipFrames(run, 0, revision - run.firstRevision + 1);
      if (start < to) yield youngerThan({ run, from: start, to }, oldestMs).reverse().flatMap(reversed);
      revision = run.firstRevision - 1;
    }
    limit = nextPageRuns(runs);
  }
}
