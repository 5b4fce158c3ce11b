import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import { EventLog } from '../../../event-log/event-log.js';
import { ReadModelLag } from './read-model-lag.js';
import { WorkerQueries } from './worker.queries.js';

const CHECK_TIMEOUT_MS = 1_500;
/** Whoever asks more often than this gets the last answer: asking must not be a way to burden the stores. */
const ANSWER_LIFETIME_MS = 500;

/** The tables may be a little behind under load; by this much their worker is in trouble. */
const FAR_BEHIND_MS = 10_000;

export interface HealthReport {
  /** Degraded: the game goes on, but what the tables show is not what is. */
  status: 'ok' | 'degraded' | 'unavailable' | 'stopping';
  checks: { postgres: string; eventLog: string; readModels: string };
}

/**
 * Whether this node can serve: both stores answer in time, and it is not on its way out. That the projection worker is
 * away or far behind is told, and is no reason to send nobody here: another node's tables are the same.
 */
@Injectable()
export class Readiness {
  private isStopping = false;
  private latest: { report: Promise<HealthReport>; askedAtMs: number } | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly eventLog: EventLog,
    private readonly worker: WorkerQueries,
    private readonly lag: ReadModelLag,
  ) {}

  /** From now on this node is on its way out: nothing new should be sent to it. */
  stop(): void {
    this.isStopping = true;
  }

  async report(nowMs: number): Promise<HealthReport> {
    if (!this.latest || nowMs - this.latest.askedAtMs > ANSWER_LIFETIME_MS) {
      this.latest = { report: this.check(nowMs), askedAtMs: nowMs };
    }
    const report = await this.latest.report;
    return this.isStopping ? { ...report, status: 'stopping' } : report;
  }

  private async check(nowMs: number): Promise<HealthReport> {
    const isFarBehind = this.lag.behindMs(nowMs) > FAR_BEHIND_MS;
    const [postgres, eventLog, readModels] = await Promise.all([
      outcome(this.pool.query('SELECT 1')),
      outcome(this.eventLog.headRevision(LEDGER_STREAM)),
      outcome(this.worker.isThere(), (isThere) => (isThere ? (isFarBehind ? 'far behind' : 'ok') : 'no worker')),
    ]);
    const checks = { postgres, eventLog, readModels };
    if (postgres !== 'ok' || eventLog !== 'ok') return { status: 'unavailable', checks };
    return { status: readModels === 'ok' ? 'ok' : 'degraded', checks };
  }
}

/** 'ok', or in a word why not; the details of an outage are for the log, not for whoever asks. */
async function outcome<T>(check: Promise<T>, inWords: (answer: T) => string = () => 'ok'): Promise<string> {
  const waiting = new AbortController();
  const timeout = sleep(CHECK_TIMEOUT_MS, 'no answer in time', { signal: waiting.signal }).catch(
    () => 'no answer in time',
  );
  const answer = check.then(inWords, () => 'failed');
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    waiting.abort();
  }
}
