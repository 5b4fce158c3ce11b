import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { AuditVerification } from '../../../contracts/http/audit.js';
import { Clock } from '../http/clock.js';
import { Verifier } from './verifier.js';

/** The replay of the whole ledger that auditors ask for: one at a time on this node, and the last verdict is kept. */
@Injectable()
export class Verification implements OnApplicationShutdown {
  private readonly logger = new Logger('audit');
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private last: AuditVerification = { state: 'never', startedAtEpochMs: null, finishedAtEpochMs: null, verdict: null };

  constructor(
    private readonly verifier: Verifier,
    private readonly clock: Clock,
  ) {}

  get state(): AuditVerification {
    return this.last;
  }

  /** Starts one unless one is running. Never waits for its end. */
  start(): AuditVerification {
    if (this.last.state === 'running') return this.last;
    this.last = { ...this.last, state: 'running', startedAtEpochMs: this.clock.now(), finishedAtEpochMs: null };
    this.running = this.run();
    return this.last;
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    try {
      const verdict = await this.verifier.verify(this.stopping.signal);
      this.last = { ...this.last, state: 'done', finishedAtEpochMs: this.clock.now(), verdict };
      if (verdict.findingCount > 0) this.logger.error(`the ledger was verified, with ${verdict.findingCount} findings`);
    } catch (error) {
      this.last = { ...this.last, state: 'failed', finishedAtEpochMs: this.clock.now() };
      if (!this.stopping.signal.aborted)
        this.logger.error(`the ledger could not be verified: ${(error as Error).message}`);
    }
  }
}
