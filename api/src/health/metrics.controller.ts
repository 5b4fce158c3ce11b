import { timingSafeEqual } from 'node:crypto';
import { Controller, Get, NotFoundException, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { AccountsStore } from '../accounts/accounts.store.js';
import { Config } from '../config.js';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/**
 * For Prometheus. Answered to this machine itself, to whoever has METRICS_TOKEN, and to the admin;
 * for everyone else it does not exist.
 */
@Controller('api/metrics')
export class MetricsController {
  constructor(
    private readonly config: Config,
    private readonly registry: Registry,
    private readonly accounts: AccountsStore,
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
    return (await this.accounts.gamerOfSession(request.session?.gamerId))?.role === 'admin';
  }
}

/** A proxy on this machine connects from here too, but says for whom. */
const isLocal = (request: Request): boolean =>
  LOOPBACK.test(request.socket.remoteAddress ?? '') &&
  request.get('x-forwarded-for') === undefined &&
  request.get('forwarded') === undefined;
