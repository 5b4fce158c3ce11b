import { Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Registry } from 'prom-client';
import { ReadCheckpoint } from '../http/checkpoint.queries.js';
import { Ledger } from '../ledger/ledger.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { registerGauges } from './gauges.js';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';
import { ReadModelLag } from './read-model-lag.js';
import { Readiness } from './readiness.js';
import { WorkerQueries } from './worker.queries.js';

const LOOK_EVERY_MS = 1_000;

@Module({
  imports: [LedgerModule],
  controllers: [HealthController, MetricsController],
  providers: [
    Readiness,
    WorkerQueries,
    {
      provide: ReadModelLag,
      useFactory: (ledger: Ledger, checkpoint: ReadCheckpoint) => new ReadModelLag(ledger, checkpoint),
      inject: [Ledger, ReadCheckpoint],
    },
  ],
})
export class HealthModule implements OnApplicationBootstrap, OnApplicationShutdown {
  private looking: NodeJS.Timeout | undefined;

  constructor(
    private readonly lag: ReadModelLag,
    private readonly ledger: Ledger,
    private readonly checkpoint: ReadCheckpoint,
    private readonly registry: Registry,
  ) {}

  onApplicationBootstrap(): void {
    registerGauges(this.registry, { ledger: this.ledger, checkpoint: this.checkpoint, lag: this.lag });
    this.looking = setInterval(() => this.lag.look(Date.now()), LOOK_EVERY_MS);
    this.looking.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.looking);
  }
}
