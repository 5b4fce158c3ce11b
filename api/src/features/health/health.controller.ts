import { Controller, Get, Injectable, Module, NotFoundException, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { EventLog } from '../../../../event-log/event-log.js';
import { areSameTexts } from '../../http/cookies.js';
import { ReadCheckpoint } from '../../http/read-checkpoint.queries.js';
import { Ledger } from '../../ledger/ledger.js';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';
import { AuditModule } from '../audit/audit.controller.js';
import { Verification } from '../audit/verification.js';
import { HeadSigner } from '../receipts/head-signer.js';
import { ReceiptsModule } from '../receipts/receipts.controller.js';
import { Witnesses } from '../receipts/witnesses.js';
import { type HealthReport, Readiness, ReadModelLag, StoreChecks } from './readiness.js';

@Controller('api/health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** Load balancers call it: 200 while this node can serve, degraded or not, 503 while it cannot. */
  @Get()
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<HealthReport> {
    const report = await this.readiness.report(Date.now());
    reply.status(report.status === 'ok' || report.status === 'degraded' ? 200 : 503);
    return report;
  }

  /** Supervisors call it: a response shows that the process lives. A store's outage does not justify a restart. */
  @Get('live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }
}

/** A longer interval misses short stalls of the event loop; a shorter one wakes an idle process more often. */
const EVENT_LOOP_PRECISION_MS = 250;
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

@Controller('api/metrics')
export class MetricsController {
  constructor(
    private readonly config: Config,
    private readonly registry: Registry,
  ) {
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS });
  }

  /** Metrics in Prometheus’ text format, for this machine and a scraper with the token. */
  @Get()
  async metrics(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (!this.mayRead(request)) throw new NotFoundException();
    reply.header('Content-Type', this.registry.contentType).send(await this.registry.metrics());
  }

  /** True for this machine and a scraper with the token. A proxy on this machine adds a forwarded header. */
  private mayRead({ headers, socket }: FastifyRequest): boolean {
    const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
    if (!isForwarded && LOOPBACK.test(socket.remoteAddress ?? '')) return true;
    const { metricsToken } = this.config;
    return metricsToken !== null && areSameTexts(headers.authorization ?? '', `Bearer ${metricsToken}`);
  }
}

const gaugesIn = (registry: Registry) => (name: string, help: string, read: () => number) =>
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });

@Injectable()
class LedgerGauges {
  constructor(registry: Registry, ledger: Ledger, log: EventLog, clock: Clock) {
    const gauge = gaugesIn(registry);
    gauge('ledger_revision', 'Revision of the last ledger event in this node’s state.', () => ledger.head.revision);
    gauge('event_log_foreign_events', 'Events of other programs that were skipped.', () => log.foreignEvents.size);
    gauge('ledger_waiting_commands', 'Commands not acknowledged yet.', () => ledger.waitingCommands);
    gauge('ledger_sum_cents', 'Sum of all accounts: 0 unless money appeared or vanished.', () => ledger.sumCents);
    gauge('game_live_seconds_left', 'Seconds of the countdown of the live round; NaN while no round is live.', () => {
      const { phase, endsAtEpochMs } = ledger.committed.game;
      return phase === 'live' && endsAtEpochMs !== null ? (endsAtEpochMs - clock.now()) / 1_000 : Number.NaN;
    });
    gauge('clock_offset_seconds', 'How far this node’s clock is ahead of Postgres’ clock; NaN while unknown.', () =>
      clock.offsetMs === null ? Number.NaN : clock.offsetMs / 1_000,
    );
  }
}

@Injectable()
class ProofGauges {
  constructor(registry: Registry, verification: Verification, signer: HeadSigner, witnesses: Witnesses) {
    const gauge = gaugesIn(registry);
    const verdict = () => verification.latest.verdict;
    const findings = () => verdict()?.findingCount ?? 0;
    gauge('ledger_verification_findings', 'Findings of this node’s newest verification.', findings);
    gauge('ledger_verified_revision', 'Last revision that the newest verification found correct; -1: none.', () =>
      findings() > 0 ? -1 : (verdict()?.events ?? 0) - 1,
    );
    gauge('ledger_signing_fault', '1 while log or tiles contradict what was signed.', () =>
      Number(signer.fault !== null),
    );
    gauge('ledger_unwitnessed_seconds', 'Age of the oldest signed head that should have its quorum; 0: none.', () =>
      witnesses.unwitnessedSince === null ? 0 : (Date.now() - witnesses.unwitnessedSince.getTime()) / 1_000,
    );
  }
}

@Injectable()
class ReadModelGauges {
  constructor(registry: Registry, checkpoint: ReadCheckpoint, lag: ReadModelLag) {
    const behindSeconds = () => lag.behindMs(Date.now()) / 1_000;
    const gauge = gaugesIn(registry);
    gauge('read_models_behind_seconds', 'Age of the oldest ledger event that the tables lack; 0: none.', behindSeconds);
    new Gauge({
      name: 'read_model_behind_positions',
      help: 'Log positions that a read model lacks of the worker’s checkpoint; above 0 while it is rebuilt.',
      labelNames: ['view'],
      registers: [registry],
      collect() {
        this.reset();
        for (const [view, behind] of checkpoint.behindByView()) this.set({ view }, behind);
      },
    });
  }
}

@Module({
  imports: [AuditModule, ReceiptsModule],
  controllers: [HealthController, MetricsController],
  providers: [LedgerGauges, ProofGauges, ReadModelGauges, ReadModelLag, StoreChecks, Readiness],
})
export class HealthModule {}
