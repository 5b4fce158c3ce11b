import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
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

  /** For supervisors: the process answers. A store's outage is no reason to restart it. */
  @Get('live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }
}
