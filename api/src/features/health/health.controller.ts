import { timingSafeEqual } from 'node:crypto';
import { Controller, Get, NotFoundException, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { SessionGamers } from '../../http/session.js';
import { Config } from '../../platform/config.js';
import { type HealthReport, Readiness } from './readiness.js';

@Controller('api/health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** For load balancers: 200 while this node can serve, degraded or not, 503 while it cannot. */
  @Get()
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<HealthReport> {
    const report = await this.readiness.report(Date.now());
    reply.status(report.status === 'ok' || report.status === 'degraded' ? 200 : 503);
    return report;
  }

  /** For supervisors: the process answers. An outage of a store is no reason to restart it. */
  @Get('live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }
}

/** A stall shows when a sample is due meanwhile. Each sample wakes an idle process. */
const EVENT_LOOP_PRECISION_MS = 250;
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/** For Prometheus, for requests from this machine, with METRICS_TOKEN or from the admin; a 404 for all others. */
@Controller('api/metrics')
export class MetricsController {
  constructor(
    private readonly config: Config,
    private readonly registry: Registry,
    private readonly gamers: SessionGamers,
  ) {
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS });
  }

  /** Metrics in Prometheus’ text format, for this machine, a scraper with the token and the admin. */
  @Get()
  async metrics(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (!isLocal(request) && !this.hasToken(request) && !(await this.isAdmin(request))) throw new NotFoundException();
    reply.header('Content-Type', this.registry.contentType).send(await this.registry.metrics());
  }

  private hasToken(request: FastifyRequest): boolean {
    if (this.config.metricsToken === null) return false;
    const sent = Buffer.from(request.headers.authorization ?? '');
    const wanted = Buffer.from(`Bearer ${this.config.metricsToken}`);
    return sent.length === wanted.length && timingSafeEqual(sent, wanted);
  }

  private async isAdmin(request: FastifyRequest): Promise<boolean> {
    const gamer = await this.gamers.gamerOfSession(request.session);
    return gamer?.role === 'admin' && !gamer.needsSecondFactor;
  }
}

/** A proxy on this machine connects from here too, but adds a forwarded header. */
const isLocal = (request: FastifyRequest): boolean =>
  LOOPBACK.test(request.socket.remoteAddress ?? '') &&
  request.headers['x-forwarded-for'] === undefined &&
  request.headers.forwarded === undefined;
