import { DELETED_STREAM, NO_METADATA, type StreamMetadata } from './stream-metadata.js';

/** Before the first event. */
export const NO_EVENTS = -1;
/** The revision under which a tombstone is kept here; on the wire it is EventStoreDB's 2^63 - 1. */
export const TOMBSTONE_REVISION = Number.MAX_SAFE_INTEGER;

/** What the server must know of one stream to take the next append, metadata streams included. Never changed in place. */
export interface StreamState {
  /** -1 when the stream has no events of its own. */
  readonly lastRevision: number;
  readonly tombstoned: boolean;
  /** Of a metadata stream: the content of its last event. */
  readonly content: StreamMetadata;
}

/** A stream together with its metadata stream. */
export interface StreamView {
  readonly name: string;
  readonly lastRevision: number;
  readonly tombstoned: boolean;
  readonly metadata: StreamMetadata;
  /** Last revision of `$$name`, -1 when it has none. */
  readonly metadataRevision: number;
}

export const EMPTY_STREAM: StreamState = { lastRevision: NO_EVENTS, tombstoned: false, content: NO_METADATA };

const METADATA_PREFIX = '$$';
/** Of a metadata stream only the newest event counts. */
const METADATA_OF_METADATA: StreamMetadata = { ...NO_METADATA, maxCount: 1 };

export function isMetadataStream(name: string): boolean {
  return name.startsWith(METADATA_PREFIX);
}

export function metadataStreamOf(name: string): string {
  return METADATA_PREFIX + name;
}

export function describedStreamOf(metadataStream: string): string {
  return metadataStream.slice(METADATA_PREFIX.length);
}

/** The streams whose state `viewStream` asks for. */
export function streamsBehindView(name: string): string[] {
  return isMetadataStream(name) ? [name, describedStreamOf(name)] : [name, metadataStreamOf(name)];
}

/** Joins a stream with its metadata. A tombstone covers the metadata stream too. */
export function viewStream(name: string, stateOf: (name: string) => StreamState): StreamView {
  const own = stateOf(name);
  if (isMetadataStream(name)) {
    return {
      name,
      lastRevision: own.lastRevision,
      tombstoned: own.tombstoned || stateOf(describedStreamOf(name)).tombstoned,
      metadata: METADATA_OF_METADATA,
      metadataRevision: NO_EVENTS,
    };
  }
  const metadata = stateOf(metadataStreamOf(name));
  return {
    name,
    lastRevision: own.lastRevision,
    tombstoned: own.tombstoned,
    metadata: metadata.content,
    metadataRevision: metadata.lastRevision,
  };
}

export function isSoftDeleted(view: StreamView): boolean {
  return (view.metadata.truncateBefore ?? 0) >= DELETED_STREAM;
}

/** First revision that `$tb` and `$maxCount` leave visible; `$maxAge` is judged event by event. */
export function firstVisibleRevision(view: StreamView): number {
  const { maxCount, truncateBefore } = view.metadata;
  const byCount = maxCount === undefined ? 0 : view.lastRevision + 1 - maxCount;
  return Math.max(0, byCount, truncateBefore ?? 0);
}
