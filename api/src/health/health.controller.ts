import { timingSafeEqual } from 'node:crypto';
import { Controller, Get, NotFoundException, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { SessionGamers } from '../http/session.js';
import { Config } from '../platform/config.js';
import { type HealthReport, Readiness } from './readiness.js';

@Controller('api/health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** For load balancers: 200 while this node can serve, degraded or not, 503 while it cannot. */
  @Get()
  async ready(@Res({ passthrough: true }) response: Response): Promise<HealthReport> {
    const report = await this.readiness.report(Date.now());
    response.status(report.status === 'ok' || report.status === 'degraded' ? 200 : 503);
    return report;
  }

  /** For supervisors: the process answers. An outage of a store is no reason to restart it. */
  @Get('live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }
}

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/** For Prometheus, for requests from this machine, with METRICS_TOKEN or from the admin; a 404 for all others. */
@Controller('api/metrics')
export class MetricsController {
  constructor(
    private readonly config: Config,
    private readonly registry: Registry,
    private readonly gamers: SessionGamers,
  ) {
    collectDefaultMetrics({ register: registry });
  }

  /** Metrics in Prometheus’ text format, for this machine, a scraper with the token and the admin. */
  @Get()
  async metrics(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (!isLocal(request) && !this.hasToken(request) && !(await this.isAdmin(request))) throw new NotFoundException();
    response.setHeader('Content-Type', this.registry.contentType);
    response.end(await this.registry.metrics());
  }

  private hasToken(request: Request): boolean {
    if (this.config.metricsToken === null) return false;
    const sent = Buffer.from(request.get('authorization') ?? '');
    const wanted = Buffer.from(`Bearer ${this.config.metricsToken}`);
    return sent.length === wanted.length && timingSafeEqual(sent, wanted);
  }

  private async isAdmin(request: Request): Promise<boolean> {
    return (await this.gamers.gamerOfSession(request.session?.gamerId))?.role === 'admin';
  }
}

/** A proxy on this machine connects from here too, but adds a forwarded header. */
const isLocal = (request: Request): boolean =>
  LOOPBACK.test(request.socket.remoteAddress ?? '') &&
  request.get('x-forwarded-for') === undefined &&
  request.get('forwarded') === undefined;
