import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { readableVersions, UnreadableEvent } from '../contracts/events/schemas.js';
import { lockInTransaction, transactionOn } from './postgres.js';
import { alignedInterval } from './timers.js';

const BEAT_INTERVAL_MS = 1_000;
/** A process that was not seen for this long does not count: it has ended, or it is frozen and stops when it goes on. */
const SEEN_WITHIN = "interval '5 seconds'";
const FORGET_AFTER = "interval '1 day'";

const TABLES = `
  CREATE SCHEMA IF NOT EXISTS versions;
  CREATE TABLE IF NOT EXISTS versions.readers (id uuid PRIMARY KEY, reads jsonb NOT NULL, seen_at timestamptz NOT NULL);
  CREATE TABLE IF NOT EXISTS versions.active (type text PRIMARY KEY, version integer NOT NULL);
  DELETE FROM versions.readers WHERE seen_at < now() - ${FORGET_AFTER}`;

/**
 * The fence of event versions. Each process states every second which versions it reads. A version may be written, for ever, once all
 * running processes read it. A process that cannot read an active version stops reading and writing.
 */
export class EventVersions {
  /** Resolves when this process meets an event, or an active version, that it cannot read. */
  readonly unreadable: Promise<UnreadableEvent>;
  private fault: UnreadableEvent | null = null;
  private resolveUnreadable!: (error: UnreadableEvent) => void;
  private readonly id = randomUUID();
  private active = new Map<string, number>();
  private stopBeating = (): void => {};
  private beating: Promise<void> = Promise.resolve();

  /** @param writes true for a process that appends @param reads the newest version of each type that it reads */
  constructor(
    private readonly pool: Pick<Pool, 'query' | 'connect'>,
    private readonly writes: boolean,
    private readonly onError: (error: Error) => void,
    private readonly reads: Readonly<Record<string, number>> = readableVersions(),
  ) {
    this.unreadable = new Promise((resolve) => {
      this.resolveUnreadable = resolve;
    });
  }

  /** Records which versions this process reads, then again every second. Throws UnreadableEvent when others write newer ones. */
  async start(): Promise<this> {
    await transactionOn(this.pool, async (client) => {
      await lockInTransaction(client, 'event versions');
      await client.query(TABLES);
    });
    await this.beat();
    if (this.fault) throw this.fault;
    this.stopBeating = alignedInterval(BEAT_INTERVAL_MS, () => {
      this.beating = this.beat().catch(this.onError);
    });
    return this;
  }

  /** Deletes this process's row, so that the others need not wait until it has expired. */
  async stop(): Promise<void> {
    this.stopBeating();
    await this.beating;
    await this.pool.query('DELETE FROM versions.readers WHERE id = $1', [this.id]).catch(this.onError);
  }

  /** To be called for an event that could not be read: this process must neither read on nor write. */
  report(error: UnreadableEvent): void {
    if (this.fault) return;
    this.fault = error;
    this.resolveUnreadable(error);
    void this.stop();
  }

  mayWrite(type: string, version: number): boolean {
    return this.fault === null && (this.active.get(type) ?? 0) >= version;
  }

  /** The versions that are not written yet, because a running process cannot read them, such as `GameReset 2`. */
  get waiting(): string[] {
    return Object.entries(this.reads)
      .filter(([type, version]) => (this.active.get(type) ?? 0) < version)
      .map(([type, version]) => `${type} ${version}`);
  }

  private async beat(): Promise<void> {
    await this.pool.query(
      `INSERT INTO versions.readers (id, reads, seen_at) VALUES ($1, $2, clock_timestamp())
       ON CONFLICT (id) DO UPDATE SET seen_at = clock_timestamp()`,
      [this.id, this.reads],
    );
    // Afterwards: an activation that did not see this row is seen here.
    await this.readActive();
    if (this.writes && this.fault === null && this.waiting.length > 0) {
      await this.activate();
      await this.readActive();
    }
  }

  private async readActive(): Promise<void> {
    const { rows } = await this.pool.query<{ type: string; version: number }>(
      'SELECT type, version FROM versions.active',
    );
    this.active = new Map(rows.map(({ type, version }) => [type, version]));
    const newer = rows.filter(({ type, version }) => version > (this.reads[type] ?? 0));
    if (newer.length === 0) return;
    const names = newer.map(({ type, version }) => `${type} ${version}`).join(', ');
    this.report(
      new UnreadableEvent(`the other nodes write events that this program does not know (${names}): upgrade this node`),
    );
  }

  /** Makes the versions active that every process seen lately can read. The lock keeps other processes from recording themselves meanwhile. */
  private async activate(): Promise<void> {
    await transactionOn(this.pool, async (client) => {
      await client.query('LOCK TABLE versions.readers IN SHARE ROW EXCLUSIVE MODE');
      await client.query(
        `INSERT INTO versions.active (type, version)
         SELECT key, version FROM jsonb_each_text($1), LATERAL (
           SELECT min(coalesce((reads ->> key)::integer, 0)) AS version
           FROM versions.readers WHERE seen_at > clock_timestamp() - ${SEEN_WITHIN}) AS everybody
         WHERE version > 0
         ON CONFLICT (type) DO UPDATE SET version = greatest(active.version, excluded.version)`,
        [this.reads],
      );
    });
  }
}
