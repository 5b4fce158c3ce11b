import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import { EventLog } from '../../../event-log/event-log.js';

const CHECK_TIMEOUT_MS = 1_500;
/** Whoever asks more often than this gets the last answer: asking must not be a way to burden the stores. */
const ANSWER_LIFETIME_MS = 500;

export interface HealthReport {
  status: 'ok' | 'unavailable' | 'stopping';
  checks: { postgres: string; eventLog: string };
}

/** Whether this node can serve: both stores answer in time, and it is not on its way out. */
@Injectable()
export class Readiness {
  private isStopping = false;
  private latest: { report: Promise<HealthReport>; askedAtMs: number } | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly eventLog: EventLog,
  ) {}

  /** From now on this node is on its way out: nothing new should be sent to it. */
  stop(): void {
    this.isStopping = true;
  }

  async report(nowMs: number): Promise<HealthReport> {
    if (!this.latest || nowMs - this.latest.askedAtMs > ANSWER_LIFETIME_MS) {
      this.latest = { report: this.check(), askedAtMs: nowMs };
    }
    const report = await this.latest.report;
    return this.isStopping ? { ...report, status: 'stopping' } : report;
  }

  private async check(): Promise<HealthReport> {
    const [postgres, eventLog] = await Promise.all([
      outcome(this.pool.query('SELECT 1')),
      outcome(this.eventLog.headRevision(LEDGER_STREAM)),
    ]);
    return { status: postgres === 'ok' && eventLog === 'ok' ? 'ok' : 'unavailable', checks: { postgres, eventLog } };
  }
}

/** 'ok', or in a word why not; the details of an outage are for the log, not for whoever asks. */
async function outcome(check: Promise<unknown>): Promise<'ok' | 'failed' | 'no answer in time'> {
  const waiting = new AbortController();
  const timeout = sleep(CHECK_TIMEOUT_MS, 'no answer in time' as const, { signal: waiting.signal }).catch(
    () => 'no answer in time' as const,
  );
  const answer = check.then(
    () => 'ok' as const,
    () => 'failed' as const,
  );
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    waiting.abort();
  }
}
