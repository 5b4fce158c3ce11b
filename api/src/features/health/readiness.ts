import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { LEDGER_STREAM } from '../../../../contracts/streams.js';
import { EventLog } from '../../../../event-log/event-log.js';
import { EventVersions } from '../../../../event-log/event-versions.js';
import { isLocked, PROJECTIONS_LOCK } from '../../../../event-log/postgres.js';
import { withTimeout } from '../../../../event-log/timers.js';
import { ReadCheckpoint } from '../../http/read-checkpoint.queries.js';
import { Ledger } from '../../ledger/ledger.js';
import { Background } from '../../platform/background.js';
import { Clock } from '../../platform/clock.js';
import { PriorityPool } from '../../platform/priority-pool.store.js';
import { HeadSigner } from '../receipts/head-signer.js';
import { Witnesses } from '../receipts/witnesses.js';

const SAMPLE_INTERVAL_MS = 1_000;
/** Bounds the memory while the tables stand still. Newer samples may go: the lag is computed from the oldest. */
const MAX_SAMPLES = 900;

/** Measures how long the tables have been behind the ledger, by sampling both. */
@Injectable()
export class ReadModelLag {
  /** Ledger positions that the tables have not reached, oldest first. */
  private readonly unreached: { position: bigint; seenAtMs: number }[] = [];

  constructor(
    private readonly ledger: Ledger,
    private readonly checkpoint: ReadCheckpoint,
    background: Background,
  ) {
    background.every(SAMPLE_INTERVAL_MS, async () => this.sample(Date.now()), 'the lag of the tables is unknown');
  }

  /** Call about every second; events between two samples count from the second sample. */
  sample(nowMs: number): void {
    const position = BigInt(this.ledger.committed.position);
    const isNew = position !== this.unreached.at(-1)?.position;
    if (isNew && this.unreached.length < MAX_SAMPLES) this.unreached.push({ position, seenAtMs: nowMs });
    const reached = BigInt(this.checkpoint.position ?? -1);
    while (this.unreached[0] && this.unreached[0].position <= reached) this.unreached.shift();
  }

  /** Milliseconds since the oldest event that the tables lack was seen; 0 when they lack none. */
  behindMs(nowMs: number): number {
    this.sample(nowMs);
    const [oldest] = this.unreached;
    return oldest === undefined ? 0 : nowMs - oldest.seenAtMs;
  }
}

const CHECK_TIMEOUT_MS = 1_500;
/** More frequent requests get the cached report, so that health checks cannot burden the stores. */
const REPORT_LIFETIME_MS = 500;

/** Under load the tables may lag a little; with this lag their worker is in trouble. */
const FAR_BEHIND_MS = 10_000;

export interface HealthReport {
  /** Degraded: the game goes on, but the tables are outdated, new events wait for the nodes that cannot read them, or no head of the ledger is signed or witnessed. */
  status: 'ok' | 'degraded' | 'unavailable' | 'stopping';
  checks: Record<
    'postgres' | 'eventLog' | 'clock' | 'readModels' | 'eventVersions' | 'foreignEvents' | 'signedHeads' | 'witnesses',
    string
  >;
}

/** Checks Postgres, the event log and the tables. */
@Injectable()
export class StoreChecks {
  constructor(
    private readonly pool: Pool,
    private readonly priorityPool: PriorityPool,
    private readonly log: EventLog,
    private readonly lag: ReadModelLag,
    private readonly checkpoint: ReadCheckpoint,
  ) {}

  /** Why this is not the log whose head was signed; null while it is. */
  get historyFault(): string | null {
    return this.log.historyFault;
  }

  async report(nowMs: number) {
    const [general, priority, eventLog, readModels] = await Promise.all([
      outcome(this.pool.query('SELECT 1')),
      outcome(this.priorityPool.query('SELECT 1')),
      outcome(this.log.headRevision(LEDGER_STREAM)),
      outcome(isLocked(this.pool, PROJECTIONS_LOCK), (isWorking) => (isWorking ? this.tables(nowMs) : 'no worker')),
    ]);
    // While purchases get no connection, this node cannot serve, whatever the lists get.
    const postgres = priority === 'ok' ? general : `purchases get no connection: ${priority}`;
    const [foreign] = this.log.foreignEvents;
    const foreignEvents = foreign === undefined ? 'none' : `skipped in the application's streams: ${foreign}`;
    return { postgres, eventLog, readModels, foreignEvents };
  }

  private tables(nowMs: number): string {
    const { laggingViews } = this.checkpoint;
    if (laggingViews.length > 0) return `being rebuilt: ${laggingViews.join(', ')}`;
    return this.lag.behindMs(nowMs) > FAR_BEHIND_MS ? 'far behind' : 'ok';
  }
}

/** Reports whether this node can serve. A missing projection worker takes no node out of service: all nodes read the same tables. */
@Injectable()
export class Readiness {
  private isStopping = false;
  private latest: { report: Promise<HealthReport>; checkedAtMs: number } | undefined;

  constructor(
    private readonly stores: StoreChecks,
    private readonly clock: Clock,
    private readonly versions: EventVersions,
    private readonly signer: HeadSigner,
    private readonly witnesses: Witnesses,
  ) {}

  /** Makes the report say `stopping`, so that the load balancer sends no new requests. */
  stop(): void {
    this.isStopping = true;
  }

  async report(nowMs: number): Promise<HealthReport> {
    if (!this.latest || nowMs - this.latest.checkedAtMs > REPORT_LIFETIME_MS)
      this.latest = { report: this.check(nowMs), checkedAtMs: nowMs };
    const report = await this.latest.report;
    return this.isStopping ? { ...report, status: 'stopping' } : report;
  }

  private async check(nowMs: number): Promise<HealthReport> {
    const { postgres, eventLog, readModels, foreignEvents } = await this.stores.report(nowMs);
    const clock = this.clock.fault ?? 'ok';
    const { waiting } = this.versions;
    const eventVersions = waiting.length === 0 ? 'ok' : `an older node runs: ${waiting.join(', ')} not written yet`;
    const signedHeads = this.signer.fault ?? 'ok';
    const since = this.witnesses.unwitnessedSince;
    const witnesses = since === null ? 'ok' : `unwitnessed since ${since.toISOString()}`;
    const checks = { postgres, eventLog, clock, readModels, eventVersions, foreignEvents, signedHeads, witnesses };
    const mayDecide = clock === 'ok' && this.stores.historyFault === null;
    if (postgres !== 'ok' || eventLog !== 'ok' || !mayDecide) return { status: 'unavailable', checks };
    const isWell = [readModels, eventVersions, signedHeads, witnesses].every((check) => check === 'ok');
    return { status: isWell ? 'ok' : 'degraded', checks };
  }
}

/** Describes a check's result by the text of `describe`, or 'failed' when there is none in time. The client gets no details. */
const outcome = <T>(check: Promise<T>, describe: (result: T) => string = () => 'ok'): Promise<string> =>
  withTimeout(check.then(describe), CHECK_TIMEOUT_MS, () => new Error('no response')).catch(() => 'failed');
