import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';
import type { AuditVerdict } from '../../../contracts/http/audit.js';
import { Config } from '../config.js';

/** Of what is told on; the auditor's own command lists more. */
const FINDINGS_TOLD = 100;

/** What the auditor's command prints (audit/verify.ts), as far as it is told on. */
export interface PrintedVerdict extends Omit<AuditVerdict, 'findings' | 'comparedEvents'> {
  comparedEvents: number | null;
  findings: readonly { revision: number | null; says: string }[];
}

/** Replays the whole ledger by the auditor's own command, in a process of its own that gives way to the game. */
@Injectable()
export class Verifier {
  constructor(private readonly config: Config) {}

  /** Throws when no verdict came. @param stopping ends it */
  verify(stopping: AbortSignal): Promise<AuditVerdict> {
    const { eventStoreUrl: EVENT_STORE_URL, databaseUrl: DATABASE_URL } = this.config;
    // From dist/api/src/audit.
    const command = fileURLToPath(new URL('../../../audit/main.js', import.meta.url));
    return verdictBy(command, { EVENT_STORE_URL, DATABASE_URL }, stopping);
  }
}

export async function verdictBy(
  command: string,
  addresses: Record<string, string>,
  stopping: AbortSignal,
): Promise<AuditVerdict> {
  const child = spawn(process.execPath, ['--enable-source-maps', command, 'verify', '--json'], {
    env: { ...process.env, ...addresses },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: stopping,
    killSignal: 'SIGKILL',
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  giveWay(child.pid);
  const [printed, complaints, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  // 1 is also how it ends with findings: then there is a verdict.
  if (code !== 0 && (code !== 1 || printed === '')) throw new Error(`exit code ${code}: ${complaints.trim()}`);
  return told(JSON.parse(printed) as PrintedVerdict);
}

function giveWay(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already, or the system has no priorities: it is verified all the same.
  }
}

export function told({ findings, comparedEvents, ...verdict }: PrintedVerdict): AuditVerdict {
  const { events, chain, roundsEnded, roundsWon, findingCount } = verdict;
  return {
    events,
    chain,
    roundsEnded,
    roundsWon,
    comparedEvents: comparedEvents ?? 0,
    findingCount,
    findings: findings
      .slice(0, FINDINGS_TOLD)
      .map(({ revision, says }) =>
        revision === null ? says : `Event ${(revision + 1).toLocaleString('en-US')}: ${says}`,
      ),
  };
}
