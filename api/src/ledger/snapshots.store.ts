import { createHash, createHmac, hash, randomUUID, scryptSync, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import type { Pool, PoolClient } from 'pg';
import type { LedgerMetadata } from '../../../contracts/events/metadata.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import { copyState, restorePart } from '../../../domain/ledger/ledger-snapshot.js';
import { emptyLedger, type LedgerState } from '../../../domain/ledger/ledger-state.js';
import { transactionOn, tryLockInTransaction } from '../../../event-log/postgres.js';
import type { LedgerLog } from './append-until-known.js';
import type { Ledger } from './ledger.js';
import { LedgerReplica } from './ledger-replica.js';

/** The content of a snapshot: a state, by the digests of its chunks, of a log, by its chain. */
export interface SnapshotContent {
  /** Hash of the code that evolves the state. */
  program: string;
  revision: number;
  /** The chain of the event at that revision: it stands for all events up to there. */
  chain: string;
  /** Hashes of the right edge of the tree up to that event, one after another, hex. */
  tree: string;
  /** SHA-256 of each chunk, one after another. */
  digests: Buffer;
}

export type StoredSnapshot = SnapshotContent & { id: string; mac: Buffer };

const KEPT_PER_PROGRAM = 2;
const CHUNKS_PER_READ = 16;

/** The ledger as of a revision: disposable, as the log has it all, and trusted by nobody. */
export class SnapshotsStore {
  constructor(private readonly pool: Pool) {}

  /** The kept snapshots of a program, newest first. */
  async ofProgram(program: string): Promise<StoredSnapshot[]> {
    const { rows } = await this.pool.query(
      `SELECT id, program, revision, chain, tree, digests, mac FROM ledger.snapshots
       WHERE program = $1 ORDER BY revision DESC LIMIT ${KEPT_PER_PROGRAM}`,
      [program],
    );
    return rows.map((row) => ({ ...row, revision: Number(row.revision) }));
  }

  /** Hands each chunk over, in order, as of one moment. Fewer come when some are missing. */
  async readChunks(id: string, take: (bytes: Buffer) => void): Promise<void> {
    const readAll = async (client: PoolClient) => {
      const read = (from: number) =>
        client.query<{ bytes: Buffer }>(
          `SELECT bytes FROM ledger.snapshot_chunks WHERE snapshot_id = $1 AND number >= $2 AND number < $3
           ORDER BY number`,
          [id, from, from + CHUNKS_PER_READ],
        );
      let next = read(0);
      for (let from = CHUNKS_PER_READ; ; from += CHUNKS_PER_READ) {
        const { rows } = await next;
        if (rows.length === 0) return;
        // Postgres reads the next chunks meanwhile.
        next = read(from);
        next.catch(() => {});
        for (const { bytes } of rows) take(bytes);
      }
    };
    await transactionOn(this.pool, readAll, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  }

  async drop(id: string): Promise<void> {
    await this.pool.query('DELETE FROM ledger.snapshots WHERE id = $1', [id]);
  }

  /**
   * Saves a snapshot, all of it or nothing; `authenticated` is called once all chunks are written. Keeps the last two of its program.
   * Returns false, and saves nothing, when another node is saving one or saved one from revision `newerThan` on.
   */
  save(
    { program, newerThan }: { program: string; newerThan: number },
    chunks: AsyncIterable<Buffer>,
    authenticated: () => Omit<StoredSnapshot, 'id'>,
  ): Promise<boolean> {
    return transactionOn(this.pool, async (client: PoolClient) => {
      if (!(await tryLockInTransaction(client, `snapshot ${program}`))) return false;
      const newer = 'SELECT FROM ledger.snapshots WHERE program = $1 AND revision >= $2';
      if ((await client.query(newer, [program, newerThan])).rows.length > 0) return false;
      const id = randomUUID();
      let number = 0;
      for await (const bytes of chunks) {
        await client.query('INSERT INTO ledger.snapshot_chunks VALUES ($1, $2, $3)', [id, number, bytes]);
        number += 1;
      }
      const { revision, chain, tree, digests, mac } = authenticated();
      await client.query(
        'INSERT INTO ledger.snapshots (id, program, revision, chain, tree, digests, mac) VALUES ($1, $2, $3, $4, $5, $6, $7)',
        [id, program, revision, chain, tree, digests, mac],
      );
      await client.query(
        `DELETE FROM ledger.snapshots WHERE program <> $1 AND taken_at < now() - interval '1 day' OR program = $1 AND id NOT IN
           (SELECT id FROM ledger.snapshots WHERE program = $1 ORDER BY revision DESC LIMIT ${KEPT_PER_PROGRAM})`,
        [program],
      );
      return true;
    });
  }
}

const PROGRAM = ['./ledger-replica.js', '../../../domain/ledger/ledger-snapshot.js'].map(
  (path) => new URL(path, import.meta.url),
);
const RELATIVE_IMPORT = /\b(?:from|import)\s*\(?['"](\.[^'"]+)['"]/g;

/** SHA-256 over the code that evolves the state: other code may have made another state of the same events. A changed comment costs a replay. */
export function programHash(entries: readonly URL[] = PROGRAM): string {
  const sum = createHash('sha256');
  for (const { text } of importedFrom(entries)) sum.update(`${text.length}\n${text}`);
  return sum.digest('hex');
}

/** The files and everything that they import from this repository, each once, in the order of the imports. */
export function importedFrom(entries: readonly URL[]): { url: URL; text: string }[] {
  const found = new Map<string, { url: URL; text: string }>();
  const visit = (url: URL): void => {
    if (found.has(url.href)) return;
    // Where nothing was built, the source.
    const text = readFileSync(existsSync(url) ? url : new URL(url.href.replace(/\.js$/, '.ts')), 'utf8');
    found.set(url.href, { url, text });
    for (const [, path = ''] of text.matchAll(RELATIVE_IMPORT)) visit(new URL(path, url));
  };
  entries.forEach(visit);
  return [...found.values()];
}

const SALT = 'omni-jackpot ledger snapshots 1';
const KEY_BYTES = 32;

const compress = promisify(gzip);
const DIGEST_BYTES = 32;

/** A start replays 50,000 events in about a second (docs/benchmarks.md). */
export const EVENTS_BETWEEN = 50_000;
/** With a million gamers a snapshot takes this process seconds: under load one a minute suffices. */
const MS_BETWEEN = 60_000;

class Unusable extends Error {}

/** Snapshots have an HMAC-SHA-256 under a key that Postgres does not hold, so that only nodes can make one. */
export class Snapshots {
  private readonly keys: readonly Buffer[];

  /** @param secrets the one in force first; the others are accepted. @param program the hash of the code that evolves the state */
  constructor(
    private readonly store: SnapshotsStore,
    secrets: readonly string[],
    private readonly program = programHash(),
  ) {
    // A reader of Postgres can test guesses of the secret, so each guess costs time and memory.
    this.keys = secrets.map((secret) => scryptSync(secret, SALT, KEY_BYTES));
  }

  /** The replica of the newest snapshot of this program that is authentic and in the log; else an empty one. Throws LogUnavailable. */
  async newestReplica(log: LedgerLog, onUnusable: (reason: string) => void): Promise<LedgerReplica> {
    for (const snapshot of await this.store.ofProgram(this.program)) {
      const { id, revision, chain } = snapshot;
      try {
        // First of all, because everything after it trusts what the snapshot says.
        if (!this.isAuthentic(snapshot)) throw new Unusable('is not authenticated under a key of this node');
        const position = await positionInLog(log, snapshot);
        const tree = { size: revision + 1, peaks: snapshot.tree.match(/.{64}/g) ?? [] };
        return new LedgerReplica(await readState(this.store, snapshot), revision, chain, position, tree);
      } catch (error) {
        if (!(error instanceof Unusable)) throw error;
        onUnusable(`the snapshot at ledger@${revision} ${error.message}, and is deleted`);
        await this.store.drop(id);
      }
    }
    return new LedgerReplica();
  }

  /** Takes snapshots in the background. Events since `since`, the snapshot of this start, count too. */
  takeFrom(
    ledger: Pick<Ledger, 'onCommitted'>,
    replica: LedgerReplica,
    since: number,
    onError: (error: Error) => void,
  ): void {
    let takenAt = { revision: since, ms: Number.NEGATIVE_INFINITY };
    let taking = false;
    const takeIfDue = (): void => {
      const isDue =
        replica.revision - takenAt.revision >= EVENTS_BETWEEN && replica.state.atMs - takenAt.ms >= MS_BETWEEN;
      if (taking || !isDue) return;
      taking = true;
      const { revision } = replica;
      this.save(replica)
        .catch(onError)
        .finally(() => {
          taking = false;
          takenAt = { revision, ms: replica.state.atMs };
        });
    };
    ledger.onCommitted(takeIfDue);
    takeIfDue();
  }

  /** Saves the replica as of the call in small parts, while no draft is open. False when another node just did. */
  async save(replica: LedgerReplica): Promise<boolean> {
    const { program } = this;
    const { revision, chain } = replica;
    const tree = replica.tree.peaks.join('');
    const copy = copyState(replica.state);
    const digests: Buffer[] = [];
    async function* chunks(): AsyncIterable<Buffer> {
      for (const part of copy.parts) {
        const bytes = await compress(part);
        digests.push(digestOf(bytes));
        yield bytes;
      }
    }
    const authenticated = () => {
      const content = { program, revision, chain, tree, digests: Buffer.concat(digests) };
      return { ...content, mac: this.macOf(content) };
    };
    try {
      return await this.store.save({ program, newerThan: revision - EVENTS_BETWEEN / 2 }, chunks(), authenticated);
    } finally {
      copy.end();
    }
  }

  macOf({ program, revision, chain, tree, digests }: SnapshotContent, key = this.keys[0] as Buffer): Buffer {
    return createHmac('sha256', key)
      .update(`omni-jackpot ledger snapshot\n${program}\n${revision}\n${chain}\n${tree}\n${digests.toString('hex')}\n`)
      .digest();
  }

  private isAuthentic({ mac, ...content }: StoredSnapshot): boolean {
    return this.keys.some((key) => {
      const expected = this.macOf(content, key);
      return expected.length === mac.length && timingSafeEqual(expected, mac);
    });
  }
}

async function positionInLog(log: LedgerLog, { revision, chain }: StoredSnapshot): Promise<string> {
  for await (const { metadata, position } of log.readStream(LEDGER_STREAM, { fromRevision: revision, maxCount: 1 }))
    if ((metadata as LedgerMetadata).chain === chain) return position;
  throw new Unusable('is not from this log');
}

/** Reads nothing of a chunk before its digest is checked. */
async function readState(store: SnapshotsStore, { id, digests }: StoredSnapshot): Promise<LedgerState> {
  const state = emptyLedger();
  let offset = 0;
  await store.readChunks(id, (bytes) => {
    if (!digestOf(bytes).equals(digests.subarray(offset, offset + DIGEST_BYTES))) throw new Unusable('was altered');
    offset += DIGEST_BYTES;
    try {
      restorePart(state, gunzipSync(bytes).toString('utf8'));
    } catch (error) {
      throw new Unusable(`cannot be read (${(error as Error).message})`);
    }
  });
  if (offset !== digests.length) throw new Unusable('was cut short');
  return state;
}

const digestOf = (bytes: Buffer): Buffer => hash('sha256', bytes, 'buffer');
