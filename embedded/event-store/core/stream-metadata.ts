/** `$tb` of a deleted stream: EventStoreDB's largest revision, which JSON readers round to this number. */
export const DELETED_STREAM = 2 ** 63;

export type Roles = readonly string[];

export interface StreamAcl {
  read?: Roles;
  write?: Roles;
  delete?: Roles;
  metaRead?: Roles;
  metaWrite?: Roles;
}

/** What the server itself reads out of a stream's metadata; the rest of the JSON is the clients' own. */
export interface StreamMetadata {
  maxCount?: number;
  maxAgeSeconds?: number;
  truncateBefore?: number;
  acl?: StreamAcl;
  /** All of the JSON object, so that an undeletion can keep what it does not know. */
  raw: Record<string, unknown>;
}

export const NO_METADATA: StreamMetadata = { raw: {} };

/** The text of the metadata event that a soft delete writes. Not made by JSON.stringify, which cannot write the number. */
export const SOFT_DELETE_JSON = '{"$tb":9223372036854775807}';

/** Reads a metadata event's data. What is no JSON object limits nothing, as on the real server. */
export function parseStreamMetadata(json: string): StreamMetadata {
  let raw: unknown;
  try {
    raw = JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return NO_METADATA;
    throw error;
  }
  if (!isRecord(raw)) return NO_METADATA;
  return {
    maxCount: positiveInteger(raw.$maxCount),
    maxAgeSeconds: positiveInteger(raw.$maxAge),
    truncateBefore: positiveInteger(raw.$tb),
    acl: parseAcl(raw.$acl),
    raw,
  };
}

/** The metadata of a deleted stream that is appended to again: what was hidden stays hidden, the rest is kept. */
export function undeletedMetadataJson(metadata: StreamMetadata, nextRevision: number): string {
  return JSON.stringify({ ...metadata.raw, $tb: nextRevision });
}

function parseAcl(value: unknown): StreamAcl | undefined {
  if (!isRecord(value)) return undefined;
  return {
    read: roles(value.$r),
    write: roles(value.$w),
    delete: roles(value.$d),
    metaRead: roles(value.$mr),
    metaWrite: roles(value.$mw),
  };
}

function roles(value: unknown): Roles | undefined {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value) && value.every((role) => typeof role === 'string')) return value;
  return undefined;
}

function positiveInteger(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
