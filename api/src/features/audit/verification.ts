import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Injectable, Logger } from '@nestjs/common';
import type { AuditVerdict, AuditVerification } from '../../../../contracts/http/audit.js';
import { Background } from '../../platform/background.js';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';

/** The most findings in the response; the auditor's own command lists more. */
const MAX_FINDINGS = 100;

/** The auditors' replay of the whole ledger: one at a time on this node. Remembers the last verdict. */
@Injectable()
export class Verification {
  private readonly logger = new Logger('audit');
  private running: Promise<void> = Promise.resolve();
  latest: AuditVerification = { state: 'never', startedAtMs: null, finishedAtMs: null, verdict: null };

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly background: Background,
  ) {
    background.onStop(() => this.running);
  }

  start(): AuditVerification {
    if (this.latest.state === 'running') return this.latest;
    this.latest = { ...this.latest, state: 'running', startedAtMs: this.clock.now(), finishedAtMs: null };
    this.running = this.run();
    return this.latest;
  }

  /** Replays the ledger in its own process. Throws when that prints no verdict. */
  verify(stopping: AbortSignal): Promise<AuditVerdict> {
    const { readerEventStoreUrl, databaseUrl, streamPrefix } = this.config;
    // The path from dist/api/src/features/audit.
    const command = fileURLToPath(new URL('../../../../audit/main.js', import.meta.url));
    const settings = { EVENT_STORE_URL: readerEventStoreUrl, DATABASE_URL: databaseUrl, STREAM_PREFIX: streamPrefix };
    return runAuditor(command, settings, stopping);
  }

  private async run(): Promise<void> {
    try {
      const printed = await this.verify(this.background.signal);
      const verdict = { ...printed, findings: printed.findings.slice(0, MAX_FINDINGS) };
      this.latest = { ...this.latest, state: 'done', finishedAtMs: this.clock.now(), verdict };
      if (verdict.findingCount > 0) this.logger.error(`the ledger was verified, with ${verdict.findingCount} findings`);
    } catch (error) {
      this.latest = { ...this.latest, state: 'failed', finishedAtMs: this.clock.now() };
      if (!this.background.signal.aborted)
        this.logger.error(`the ledger could not be verified: ${(error as Error).message}`);
    }
  }
}

/** The command gets these settings and the system's own variables: none of the api's secrets. */
export async function runAuditor(command: string, settings: Record<string, string>, stopping: AbortSignal) {
  // NODE_EXTRA_CA_CERTS names the authority that signed Postgres' certificate.
  const { PATH, HOME, TZ, LANG, NODE_EXTRA_CA_CERTS } = process.env;
  const child = spawn(process.execPath, ['--enable-source-maps', command, 'verify', '--json'], {
    env: { PATH, HOME, TZ, LANG, NODE_EXTRA_CA_CERTS, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: stopping,
    killSignal: 'SIGKILL',
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  lowerPriority(child.pid);
  const [printed, complaints, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  // With a verdict, exit code 1 means findings, and 3 means outdated tables.
  if (printed === '' || ![0, 1, 3].includes(code ?? 1)) throw new Error(`exit code ${code}: ${complaints.trim()}`);
  return JSON.parse(printed) as AuditVerdict;
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // The process has ended already, or the system has no priorities.
  }
}
