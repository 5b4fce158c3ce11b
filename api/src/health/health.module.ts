import { Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { ReadCheckpoint } from '../http/read-checkpoint.queries.js';
import { Ledger } from '../ledger/ledger.js';
import { Clock } from '../platform/clock.js';
import { HealthController, MetricsController } from './health.controller.js';
import { ReadModelLag } from './read-model-lag.js';
import { Readiness } from './readiness.js';

interface Sources {
  ledger: Ledger;
  checkpoint: ReadCheckpoint;
  lag: ReadModelLag;
  clock: Clock;
}

/** Gauges read at each scrape. Log positions beyond 2^53 lose digits, which a graph does not show. */
export function registerGauges(registry: Registry, { ledger, checkpoint, lag, clock }: Sources): void {
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
  gauge('ledger_waiting_commands', 'Commands not acknowledged yet.', () => ledger.waitingCommands);
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
}

const SAMPLE_INTERVAL_MS = 1_000;

@Module({
  controllers: [HealthController, MetricsController],
  providers: [
    Readiness,
    {
      provide: ReadModelLag,
      useFactory: (ledger: Ledger, checkpoint: ReadCheckpoint) => new ReadModelLag(ledger, checkpoint),
      inject: [Ledger, ReadCheckpoint],
    },
  ],
})
export class HealthModule implements OnApplicationBootstrap, OnApplicationShutdown {
  private sampling: NodeJS.Timeout | undefined;

  constructor(
    private readonly lag: ReadModelLag,
    private readonly ledger: Ledger,
    private readonly checkpoint: ReadCheckpoint,
    private readonly registry: Registry,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    const { ledger, checkpoint, lag, clock } = this;
    registerGauges(this.registry, { ledger, checkpoint, lag, clock });
    this.sampling = setInterval(() => this.lag.sample(Date.now()), SAMPLE_INTERVAL_MS);
    this.sampling.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.sampling);
  }
}
