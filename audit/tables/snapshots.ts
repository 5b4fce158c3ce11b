import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { ClientBase } from 'pg';
import type { LedgerMetadata } from '../../contracts/events/metadata.js';
import type { Auditor } from '../replay/auditor.js';
import { RememberedCommands } from './snapshot-commands.js';
import { type ExpectedCollection, expectedCollections, expectedFields, MEMBER } from './snapshot-state.js';

const CHUNKS_PER_READ = 16;

/** A stored state, from which a node starts instead of the first event. */
export interface KeptSnapshot {
  revision: number;
  chain: string;
  /** SHA-256 of each chunk, one after another. */
  digests: Buffer;
  chunks: Buffer[];
}

/** Reads the kept snapshots, oldest first. */
export async function readSnapshots(database: ClientBase): Promise<KeptSnapshot[]> {
  await database.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const { rows } = await database.query<{ id: string; revision: string; chain: string; digests: Buffer }>(
      'SELECT id, revision, chain, digests FROM ledger.snapshots ORDER BY revision',
    );
    const kept: KeptSnapshot[] = [];
    for (const { id, revision, ...row } of rows)
      kept.push({ ...row, revision: Number(revision), chunks: await readChunks(database, id) });
    return kept;
  } finally {
    await database.query('ROLLBACK');
  }
}

async function readChunks(database: ClientBase, id: string): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  for (;;) {
    const { rows } = await database.query<{ bytes: Buffer }>(
      'SELECT bytes FROM ledger.snapshot_chunks WHERE snapshot_id = $1 ORDER BY number LIMIT $2 OFFSET $3',
      [id, CHUNKS_PER_READ, chunks.length],
    );
    chunks.push(...rows.map(({ bytes }) => bytes));
    if (rows.length < CHUNKS_PER_READ) return chunks;
  }
}

/** Compares the nodes' snapshots, whole, with the state that the auditor has by its own rules. */
export class SnapshotCheck {
  private readonly left: DecodedSnapshot[];

  constructor(
    private readonly auditor: Auditor,
    snapshots: readonly KeptSnapshot[],
  ) {
    this.left = snapshots.map(open);
  }

  /**
   * To be called for each event, once the auditor took it. Returns the faults of the snapshots that were taken right after
   * the event.
   */
  take(revision: number, metadata: LedgerMetadata): string[] {
    for (const { commands } of this.left) commands?.take(revision, metadata);
    const faults: string[] = [];
    while (this.left[0]?.snapshot.revision === revision) {
      const opened = this.left.shift() as DecodedSnapshot;
      const isOfLog = opened.snapshot.chain === metadata.chain;
      const found = isOfLog ? faultsOfState(opened, this.auditor) : ['is of another log'];
      faults.push(...found.map((fault) => `has a snapshot after it that ${fault}`));
    }
    return faults;
  }

  /** Snapshots at revisions that the log does not have. */
  get snapshotsNotReached(): readonly KeptSnapshot[] {
    return this.left.map(({ snapshot }) => snapshot);
  }
}

interface DecodedSnapshot {
  snapshot: KeptSnapshot;
  /** Null when it cannot be read. */
  commands: RememberedCommands | null;
  /** The reason when it cannot be read. */
  fault: string | null;
}

/** Only the commands are read before the replay, because they are compared with each event of it. */
function open(snapshot: KeptSnapshot): DecodedSnapshot {
  const { chunks, digests } = snapshot;
  const sums = chunks.map((chunk) => hash('sha256', chunk, 'buffer'));
  if (!Buffer.concat(sums).equals(digests)) return { snapshot, commands: null, fault: 'was altered' };
  try {
    const stored = chunks.map(textOf).filter((text) => text.startsWith(COMMANDS));
    return { snapshot, commands: new RememberedCommands(stored.map((text) => JSON.parse(text))), fault: null };
  } catch (error) {
    return { snapshot, commands: null, fault: `cannot be read: ${(error as Error).message}` };
  }
}

const textOf = (chunk: Buffer): string => gunzipSync(chunk).toString('utf8');

/** The beginnings of the parts that are no collections. */
const COMMANDS = '{"name":"commands"';
const FIELDS = '{"name":"fields"';

/** One wrong event can make every balance wrong. */
const MAX_FAULTS = 10;

function faultsOfState({ snapshot, commands, fault }: DecodedSnapshot, auditor: Auditor): string[] {
  if (commands === null) return [fault ?? ''];
  try {
    const faults = new Set([...differences(snapshot.chunks, auditor), ...commands.faults(auditor.at)]);
    return [...faults].slice(0, MAX_FAULTS);
  } catch (error) {
    return [`cannot be read: ${(error as Error).message}`];
  }
}

/** Compares each part. Throws when a chunk is no part of a state. */
function* differences(chunks: readonly Buffer[], auditor: Auditor): Iterable<string> {
  const collections = new Map(
    Object.entries(expectedCollections(auditor)).map(([name, expected]) => [name, new Comparison(name, expected)]),
  );
  let fieldParts = 0;
  for (const chunk of chunks) {
    const text = textOf(chunk);
    if (text.startsWith(COMMANDS)) continue;
    const { name, entries, fields, ...more } = JSON.parse(text);
    const collection = collections.get(name);
    if (Object.keys(more).length > 0) yield `has ${Object.keys(more)} in a part, ${UNKNOWN}`;
    if (text.startsWith(FIELDS)) {
      fieldParts += 1;
      yield* fieldDifferences(fields, expectedFields(auditor));
    } else if (collection === undefined) yield `has ${name}, ${UNKNOWN}`;
    else for (const entry of entries) yield* collection.take(entry);
  }
  if (fieldParts !== 1) yield `has ${fieldParts} parts with its fields`;
  for (const collection of collections.values()) yield* collection.missing();
}

const UNKNOWN = 'which this auditor does not know: it is of another release, or forged';

function* fieldDifferences(fields: Record<string, unknown>, expected: Record<string, unknown>): Iterable<string> {
  for (const name of Object.keys(fields)) if (!(name in expected)) yield `has ${name}, ${UNKNOWN}`;
  for (const [name, value] of Object.entries(expected)) {
    // As JSON, which has its own form of a Buffer.
    if (!isDeepStrictEqual(fields[name], JSON.parse(JSON.stringify(value)))) yield `differs from the log in ${name}`;
  }
}

/** Compares the entries of a collection. An entry may come twice: nodes copy a state that changes meanwhile. */
class Comparison {
  private readonly taken = new Set<string>();

  constructor(
    private readonly name: string,
    private readonly expected: ExpectedCollection,
  ) {}

  /** @param entry a member of a set, or key and value */
  *take(entry: unknown): Iterable<string> {
    const [key, value] = (Array.isArray(entry) ? entry : [entry, MEMBER]) as [string, unknown];
    if (value !== 0) this.taken.add(key);
    if (!isDeepStrictEqual(value, this.expected.valueOf(key))) yield `differs from the log in ${this.name}: ${key}`;
  }

  *missing(): Iterable<string> {
    if (this.taken.size < this.expected.size) yield `lacks ${this.name} that are in the log`;
  }
}
