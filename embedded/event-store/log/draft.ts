import { parseStreamMetadata } from '../core/stream-metadata.js';
import {
  isMetadataStream,
  type StreamState,
  type StreamView,
  TOMBSTONE_REVISION,
  viewStream,
} from '../core/stream-state.js';
import { frameEvents } from './event-frame.js';
import type { ProposedEvent } from './proposed-event.js';
import type { Run } from './run.js';

/** Appends to one stream that follow each other are kept in one run up to this size. */
const JOINED_RUN_BYTES = 128 * 1024;

export interface Written {
  lastRevision: number;
  /** Of the last event. */
  position: number;
}

interface OpenRun extends Omit<Run, 'bytes'> {
  parts: Buffer[];
}

/** The next commit as it is put together: what it will write, and what the streams will then be. */
export class Draft {
  private readonly open: OpenRun[] = [];
  /** The states that this commit changes. */
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

  changes(stream: string): boolean {
    return this.changed.has(stream);
  }

  append(stream: string, events: readonly ProposedEvent[]): Written {
    const state = this.stateOf(stream);
    const firstRevision = state.lastRevision + 1;
    const written = this.write(stream, firstRevision, events);
    const content = isMetadataStream(stream) ? contentOf(events.at(-1)!) : state.content;
    this.changed.set(stream, { ...state, lastRevision: written.lastRevision, content });
    return written;
  }

  tombstone(stream: string, event: ProposedEvent): Written {
    const written = this.write(stream, TOMBSTONE_REVISION, [event]);
    this.changed.set(stream, { ...this.stateOf(stream), lastRevision: TOMBSTONE_REVISION, tombstoned: true });
    return written;
  }

  runs(): Run[] {
    return this.open.map(({ parts, ...run }) => ({
      ...run,
      bytes: parts.length === 1 ? parts[0]! : Buffer.concat(parts),
    }));
  }

  private write(stream: string, firstRevision: number, events: readonly ProposedEvent[]): Written {
    const { bytes, lastOffset } = frameEvents(stream, firstRevision, events, this.position, this.createdMs);
    const last = this.open.at(-1);
    const lastRevision = firstRevision + events.length - 1;
    const position = this.position + lastOffset;
    this.position += bytes.length;
    if (last?.stream === stream && joins(last, firstRevision, bytes)) {
      last.parts.push(bytes);
      last.count += events.length;
      last.end = this.position;
    } else {
      const start = this.position - bytes.length;
      this.open.push({
        stream,
        position: start,
        end: this.position,
        firstRevision,
        count: events.length,
        parts: [bytes],
      });
    }
    return { lastRevision, position };
  }

  private stateOf(name: string): StreamState {
    const state = this.changed.get(name) ?? this.states.get(name);
    if (state === undefined) throw new Error(`The state of the stream ${name} was not looked up.`);
    return state;
  }
}

function joins(run: OpenRun, firstRevision: number, bytes: Buffer): boolean {
  const follows = run.firstRevision + run.count === firstRevision;
  return follows && run.end - run.position + bytes.length <= JOINED_RUN_BYTES;
}

function contentOf(event: ProposedEvent) {
  return parseStreamMetadata(event.source.toString('utf8', event.dataStart, event.dataStop));
}
