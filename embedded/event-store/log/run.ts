import { FRAME_HEADER_LENGTH, FrameView, frameLength } from './event-frame.js';

/**
 * Events of one stream that lie next to each other in the log: what one append wrote, or several appends of one commit.
 * A position is a byte offset in the log, as on the real server, so nobody can take positions for consecutive numbers.
 */
export interface Run {
  stream: string;
  /** Position of the first event. */
  position: number;
  /** Position after the last event's last byte, where the next run begins. */
  end: number;
  firstRevision: number;
  count: number;
  /** The events' frames, one after another. */
  bytes: Buffer;
}

export function lastRevisionOf(run: Run): number {
  return run.firstRevision + run.count - 1;
}

/** Offset of the first frame at or after a log position, or the run's length when there is none. */
export function offsetAtPosition(run: Run, position: number): number {
  let offset = 0;
  while (offset < run.bytes.length && run.position + offset < position) offset += frameLength(run.bytes, offset);
  return offset;
}

/** Offset of the frame `index` events after the one at `from`. */
export function skipFrames(run: Run, from: number, count: number): number {
  let offset = from;
  for (let left = count; left > 0 && offset < run.bytes.length; left--) offset += frameLength(run.bytes, offset);
  return offset;
}

export function countFrames(bytes: Buffer, from: number, to: number): number {
  let count = 0;
  for (let offset = from; offset < to; offset += frameLength(bytes, offset)) count++;
  return count;
}

export function* framesOf(run: Run, from = 0): Generator<FrameView> {
  for (let offset = from; offset < run.bytes.length; offset += frameLength(run.bytes, offset)) {
    yield new FrameView(run.bytes, offset);
  }
}

/** Throws when the bytes are not the whole frames they should be: better no answer than half an event. */
export function checkFrames(run: Run): void {
  let offset = 0;
  let count = 0;
  while (offset + FRAME_HEADER_LENGTH <= run.bytes.length) {
    offset += frameLength(run.bytes, offset);
    count++;
  }
  if (offset !== run.bytes.length || count !== run.count) {
    throw new Error(`The log is damaged at position ${run.position}: its events do not add up.`);
  }
}
