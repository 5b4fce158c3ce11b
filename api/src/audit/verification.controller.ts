import { Controller, Get, HttpCode, Post, UseGuards, UseInterceptors } from '@nestjs/common';
import type { AuditVerification } from '../../../contracts/http/audit.js';
import { AfterPositionInterceptor } from '../http/after-position.interceptor.js';
import { AuditorOrAdmin } from '../http/session.js';
import { Verification } from './verification.js';

@Controller('api/audit/verification')
@UseGuards(AuditorOrAdmin)
export class VerificationController {
  constructor(private readonly verification: Verification) {}

  /** How the last replay of the whole ledger on this node went, or that it is running. */
  @Get()
  @UseInterceptors(AfterPositionInterceptor)
  read(): AuditVerification {
    return this.verification.state;
  }

  /** Replays the whole ledger, unless that is being done already; the answer does not wait for its end. */
  @Post()
  @HttpCode(202)
  start(): AuditVerification {
    return this.verification.start();
  }
}
