import { frameLength, TOMBSTONE_REVISION } from './event-frame.js';

/** Events of one stream, next to each other in the log. Positions are byte offsets, as on the real server. */
export interface Run {
  stream: string;
  position: number;
  /** Position after the last event's last byte, where the next run begins. */
  end: number;
  firstRevision: number;
  count: number;
  bytes: Buffer;
}

export const isTombstone = (run: Run): boolean => run.firstRevision === TOMBSTONE_REVISION;

export const lastRevisionOf = ({ firstRevision, count }: Run): number => firstRevision + count - 1;

export function offsetsOf({ bytes }: Run): number[] {
  const offsets: number[] = [];
  for (let offset = 0; offset < bytes.length; offset += frameLength(bytes, offset)) offsets.push(offset);
  return offsets;
}

/** Returns the offset of the first frame at or after a log position, or the run's length when there is none. */
export function offsetAtPosition(run: Run, position: number): number {
  let offset = 0;
  while (offset < run.bytes.length && run.position + offset < position) offset += frameLength(run.bytes, offset);
  return offset;
}

/** Returns the offset of the frame `count` events after the one at `from`. */
export function skipFrames({ bytes }: Run, from: number, count: number): number {
  let offset = from;
  for (let left = count; left > 0 && offset < bytes.length; left--) offset += frameLength(bytes, offset);
  return offset;
}
