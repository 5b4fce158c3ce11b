import { Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Registry } from 'prom-client';
import { alignedInterval } from '../../../../event-log/aligned-interval.js';
import { EventLog } from '../../../../event-log/event-log.js';
import { ReadCheckpoint } from '../../http/read-checkpoint.queries.js';
import { Ledger } from '../../ledger/ledger.js';
import { Clock } from '../../platform/clock.js';
import { AuditModule } from '../audit/audit.module.js';
import { Verification } from '../audit/verification.js';
import { HeadSigner } from '../receipts/head-signer.js';
import { ReceiptsModule } from '../receipts/receipts.module.js';
import { Witnesses } from '../receipts/witnesses.js';
import { registerGauges } from './gauges.js';
import { HealthController, MetricsController } from './health.controller.js';
import { ReadModelLag } from './read-model-lag.js';
import { Readiness } from './readiness.js';
import { ViewPositionsQueries } from './view-positions.queries.js';

const SAMPLE_INTERVAL_MS = 1_000;

@Module({
  imports: [AuditModule, ReceiptsModule],
  controllers: [HealthController, MetricsController],
  providers: [
    Readiness,
    ViewPositionsQueries,
    {
      provide: ReadModelLag,
      useFactory: (ledger: Ledger, checkpoint: ReadCheckpoint) => new ReadModelLag(ledger, checkpoint),
      inject: [Ledger, ReadCheckpoint],
    },
  ],
})
export class HealthModule implements OnApplicationBootstrap, OnApplicationShutdown {
  private stopSampling = (): void => {};

  constructor(
    readonly lag: ReadModelLag,
    readonly ledger: Ledger,
    readonly log: EventLog,
    readonly checkpoint: ReadCheckpoint,
    private readonly registry: Registry,
    readonly clock: Clock,
    readonly views: ViewPositionsQueries,
    readonly verification: Verification,
    readonly signer: HeadSigner,
    readonly witnesses: Witnesses,
  ) {}

  onApplicationBootstrap(): void {
    registerGauges(this.registry, this);
    this.stopSampling = alignedInterval(SAMPLE_INTERVAL_MS, () => this.lag.sample(Date.now()));
  }

  onApplicationShutdown(): void {
    this.stopSampling();
  }
}
