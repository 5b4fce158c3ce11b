/** Last revision of a stream without events. */
export const NO_EVENTS = -1;
/** Revision of a tombstone in this server; on the wire it is EventStoreDB's 2^63 - 1. */
export const TOMBSTONE_REVISION = Number.MAX_SAFE_INTEGER;
/** `$tb` of a deleted stream: EventStoreDB's largest revision, which JSON.parse rounds to this number. */
export const DELETED_STREAM = 2 ** 63;
/** Metadata that a soft delete writes. JSON.stringify cannot write this number. */
export const SOFT_DELETE_JSON = '{"$tb":9223372036854775807}';

/** .NET's JSON readers have this limit. JSON.stringify would fail on deeper nesting, which JSON.parse accepts. */
const DEPTH_LIMIT = 64;
const METADATA_PREFIX = '$$';
const ACL_FIELDS = { read: '$r', write: '$w', delete: '$d', metaRead: '$mr', metaWrite: '$mw' } as const;

export type StreamAction = keyof typeof ACL_FIELDS;

/** The fields of a stream's metadata that the server uses; the others belong to the clients. */
export interface StreamMetadata {
  maxCount?: number;
  maxAgeSeconds?: number;
  truncateBefore?: number;
  /** Users and groups per action; without a list the server's default applies. */
  acl?: Partial<Record<StreamAction, readonly string[]>>;
  /** The whole JSON object, so that an undelete keeps the clients' fields. */
  raw: Record<string, unknown>;
  /** Length of the JSON, in characters. */
  length: number;
}

/** The state of one stream that the next append needs; metadata streams have one too. Immutable. */
export interface StreamState {
  /** -1 when the stream has no events of its own. */
  readonly lastRevision: number;
  readonly tombstoned: boolean;
  /** For a metadata stream: the content of its last event. */
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

export const NO_METADATA: StreamMetadata = { raw: {}, length: 0 };
export const EMPTY_STREAM: StreamState = { lastRevision: NO_EVENTS, tombstoned: false, content: NO_METADATA };
/** Metadata of every metadata stream: only its newest event is visible. */
const METADATA_OF_METADATA: StreamMetadata = { ...NO_METADATA, maxCount: 1 };

export const isMetadataStream = (name: string): boolean => name.startsWith(METADATA_PREFIX);
export const metadataStreamOf = (name: string): string => METADATA_PREFIX + name;
export const describedStreamOf = (metadataStream: string): string => metadataStream.slice(METADATA_PREFIX.length);

/** Returns the streams whose states `viewStream` needs. */
export const streamsBehindView = (name: string): string[] => [
  name,
  isMetadataStream(name) ? describedStreamOf(name) : metadataStreamOf(name),
];

/** Joins a stream with its metadata. A tombstone covers the metadata stream too. */
export function viewStream(name: string, stateOf: (name: string) => StreamState): StreamView {
  const [own, other] = streamsBehindView(name).map(stateOf) as [StreamState, StreamState];
  const { lastRevision, tombstoned } = own;
  return isMetadataStream(name)
    ? {
        name,
        lastRevision,
        tombstoned: tombstoned || other.tombstoned,
        metadata: METADATA_OF_METADATA,
        metadataRevision: NO_EVENTS,
      }
    : { name, lastRevision, tombstoned, metadata: other.content, metadataRevision: other.lastRevision };
}

export const isSoftDeleted = ({ metadata }: StreamView): boolean => (metadata.truncateBefore ?? 0) >= DELETED_STREAM;

/** Returns the first revision that `$tb` and `$maxCount` leave visible; `$maxAge` depends on each event's time. */
export function firstVisibleRevision({ lastRevision, metadata }: StreamView): number {
  const { maxCount = Number.POSITIVE_INFINITY, truncateBefore = 0 } = metadata;
  return Math.max(0, lastRevision + 1 - maxCount, truncateBefore);
}

/** Parses a metadata event's data. Data that is no JSON object limits nothing, as on the real server. */
export function parseStreamMetadata(json: string): StreamMetadata {
  let raw: unknown;
  try {
    raw = JSON.parse(json);
  } catch {
    return NO_METADATA;
  }
  if (!isRecord(raw) || isDeeperThan(DEPTH_LIMIT, raw)) return NO_METADATA;
  return {
    maxCount: positiveInteger(raw.$maxCount),
    maxAgeSeconds: positiveInteger(raw.$maxAge),
    truncateBefore: positiveInteger(raw.$tb),
    acl: isRecord(raw.$acl) ? parseAcl(raw.$acl) : undefined,
    raw,
    length: json.length,
  };
}

/** Returns the metadata that undeletes a stream: its old events stay hidden, the other fields are kept. */
export const undeletedMetadataJson = (metadata: StreamMetadata, nextRevision: number): string =>
  JSON.stringify({ ...metadata.raw, $tb: nextRevision });

function parseAcl(acl: Record<string, unknown>): StreamMetadata['acl'] {
  const entries = Object.entries(ACL_FIELDS).map(([action, field]) => {
    const roles = [acl[field]].flat();
    return [action, roles.every((role) => typeof role === 'string') ? roles : undefined];
  });
  return Object.fromEntries(entries);
}

const positiveInteger = (value: unknown): number | undefined =>
  Number.isInteger(value) && Number(value) > 0 ? Number(value) : undefined;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isDeeperThan = (limit: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (limit === 0 || Object.values(value).some((inner) => isDeeperThan(limit - 1, inner)));
