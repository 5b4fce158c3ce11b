import { Gauge, type Registry } from 'prom-client';
import type { EventLog } from '../../../../event-log/event-log.js';
import type { ReadCheckpoint } from '../../http/read-checkpoint.queries.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { Clock } from '../../platform/clock.js';
import type { Verification } from '../audit/verification.js';
import type { HeadSigner } from '../receipts/head-signer.js';
import type { Witnesses } from '../receipts/witnesses.js';
import type { ReadModelLag } from './read-model-lag.js';
import type { ViewPositionsQueries } from './view-positions.queries.js';

interface Sources {
  ledger: Ledger;
  log: EventLog;
  checkpoint: ReadCheckpoint;
  lag: ReadModelLag;
  views: ViewPositionsQueries;
  clock: Clock;
  verification: Verification;
  signer: HeadSigner;
  witnesses: Witnesses;
}

/** Gauges read at each scrape. Log positions beyond 2^53 lose digits, which a graph does not show. */
export function registerGauges(registry: Registry, sources: Sources): void {
  const { ledger, log, checkpoint, lag, views, clock, verification, signer, witnesses } = sources;
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  gauge('ledger_revision', 'Revision of the last ledger event this node has folded.', () => ledger.revision);
  gauge('ledger_position', 'Log position of the last ledger event this node has folded.', () =>
    Number(ledger.committed.position),
  );
  gauge(
    'event_log_foreign_events',
    'Events of other programs that this node skipped in the application’s streams.',
    () => log.foreignEvents.size,
  );
  gauge('ledger_waiting_commands', 'Commands not acknowledged yet.', () => ledger.waitingCommands);
  gauge(
    'ledger_sum_cents',
    'Sum of all accounts of the ledger. Anything but 0 means that money appeared or vanished.',
    () => ledger.sumCents,
  );
  gauge('ledger_verified_revision', 'Last revision that this node’s newest verification found right; -1: none.', () =>
    verifiedRevision(verification),
  );
  gauge(
    'ledger_verification_findings',
    'Findings of this node’s newest verification.',
    () => verification.state.verdict?.findingCount ?? 0,
  );
  gauge(
    'ledger_signing_fault',
    '1 while the log or the tiles contradict what was signed, so that nothing is signed.',
    () => (signer.fault === null ? 0 : 1),
  );
  gauge('ledger_unwitnessed_seconds', 'Age of the oldest signed head that should have its quorum; 0: none.', () =>
    witnesses.unwitnessedSince === null ? 0 : (Date.now() - witnesses.unwitnessedSince.getTime()) / 1_000,
  );
  gauge('game_live_seconds_left', 'Seconds of the countdown of the live round; NaN while no round is live.', () => {
    const { phase, endsAtEpochMs } = ledger.committed.game;
    return phase === 'live' && endsAtEpochMs !== null ? (endsAtEpochMs - clock.now()) / 1_000 : Number.NaN;
  });
  gauge('clock_offset_seconds', 'How far this node’s clock is ahead of Postgres’ clock; NaN while unknown.', () =>
    clock.offsetMs === null ? Number.NaN : clock.offsetMs / 1_000,
  );
  gauge('read_models_position', 'Log position the tables have reached; -1 while unknown.', () =>
    Number(checkpoint.position ?? -1),
  );
  gauge(
    'read_models_behind_seconds',
    'Seconds since the oldest ledger event that the tables lack; 0 when they lack none.',
    () => lag.behindMs(Date.now()) / 1_000,
  );
  new Gauge({
    name: 'read_model_behind_positions',
    help: 'Log positions that a read model lacks of the worker’s checkpoint; above 0 while it is rebuilt.',
    labelNames: ['view'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const [view, behind] of await views.behind()) this.set({ view }, behind);
    },
  });
}

function verifiedRevision({ state: { verdict } }: Verification): number {
  return verdict === null || verdict.findingCount > 0 ? -1 : verdict.events - 1;
}
