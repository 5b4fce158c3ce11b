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
  /** Characters of its JSON. */
  length: number;
}

export const NO_METADATA: StreamMetadata = { raw: {}, length: 0 };

/** .NET's readers stop there, and what is nested without end could be read here but not written again. */
const DEPTH_LIMIT = 64;

/** The text of the metadata event that a soft delete writes. Not made by JSON.stringify, which cannot write the number. */
export const SOFT_DELETE_JSON = '{"$tb":9223372036854775807}';

/** Reads a metadata event's data. What is no JSON object limits nothing, as on the real server. */
export function parseStreamMetadata(json: string): StreamMetadata {
  if (isDeeperThan(DEPTH_LIMIT, json)) return NO_METADATA;
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
    length: json.length,
  };
}

/** The metadata of a deleted stream that is appended to again: what was hidden stays hidden, the rest is kept. */
export function undeletedMetadataJson(metadata: StreamMetadata, nextRevision: number): string {
  return JSON.stringify({ ...metadata.raw, $tb: nextRevision });
}

function isDeeperThan(limit: number, json: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const char = json[at]!;
    if (char === '"') inString = !inString;
    else if (inString) at += char === '\\' ? 1 : 0;
    else if (char === '[' || char === '{') depth++;
    else if (char === ']' || char === '}') depth--;
    if (depth > limit) return true;
  }
  return false;
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
