import {
  isMetadataStream,
  parseStreamMetadata,
  type StreamState,
  type StreamView,
  TOMBSTONE_REVISION,
  viewStream,
} from '../core/stream.js';
import { FrameEncoder, type ProposedEvent } from './event-frame.js';
import { lastRevisionOf, type Run } from './run.js';

/** Consecutive appends to one stream share a run up to this size. */
const JOINED_RUN_BYTES = 128 * 1024;

interface Written {
  lastRevision: number;
  /** Position of the last event. */
  position: number;
}

interface OpenRun extends Omit<Run, 'bytes'> {
  frames: Buffer[];
}

/** The next commit: the runs it will write, and the states of the streams after it. */
export class Draft {
  private readonly open: OpenRun[] = [];
  /** States of the streams that this commit changes. */
  readonly changed = new Map<string, StreamState>();

  /**
   * @param states committed states of every stream this commit may touch, with their metadata streams
   * @param position end of the log
   */
  constructor(
    private readonly states: ReadonlyMap<string, StreamState>,
    private position: number,
    private readonly createdMs: number,
  ) {}

  view(stream: string): StreamView {
    return viewStream(stream, (name) => this.stateOf(name));
  }

  append(stream: string, events: readonly ProposedEvent[]): Written {
    const state = this.stateOf(stream);
    const written = this.write(stream, state.lastRevision + 1, events);
    const content = isMetadataStream(stream) ? parseStreamMetadata(events.at(-1)!.data.toString()) : state.content;
    this.changed.set(stream, { ...state, lastRevision: written.lastRevision, content });
    return written;
  }

  tombstone(stream: string, event: ProposedEvent): Written {
    this.changed.set(stream, { ...this.stateOf(stream), lastRevision: TOMBSTONE_REVISION, tombstoned: true });
    return this.write(stream, TOMBSTONE_REVISION, [event]);
  }

  runs(): Run[] {
    return this.open.map(({ frames, ...run }) => ({ ...run, bytes: Buffer.concat(frames) }));
  }

  private write(stream: string, firstRevision: number, events: readonly ProposedEvent[]): Written {
    const start = this.position;
    let end = start;
    let position = start;
    const encoder = new FrameEncoder(stream, this.createdMs);
    const frames = events.map((event, index) => {
      const frame = encoder.encode(firstRevision + index, event, end);
      position = end;
      end += frame.length;
      return frame;
    });
    this.position = end;
    const last = this.open.at(-1);
    const follows = last?.stream === stream && lastRevisionOf(last) + 1 === firstRevision;
    if (follows && end - last.position <= JOINED_RUN_BYTES) {
      for (const frame of frames) last.frames.push(frame);
      last.count += events.length;
      last.end = end;
    } else this.open.push({ stream, position: start, end, firstRevision, count: events.length, frames });
    return { lastRevision: firstRevision + events.length - 1, position };
  }

  private stateOf(name: string): StreamState {
    const state = this.changed.get(name) ?? this.states.get(name);
    if (state === undefined) throw new Error(`The state of the stream ${name} was not loaded.`);
    return state;
  }
}
