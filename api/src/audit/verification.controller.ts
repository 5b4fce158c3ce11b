import { Controller, Get, HttpCode, Post, UseGuards, UseInterceptors } from '@nestjs/common';
import { AfterPositionInterceptor } from '../http/position.interceptors.js';
import { AuditorOrAdmin } from '../http/session.js';
import { Verification } from './verification.js';

@Controller('api/audit/verification')
@UseGuards(AuditorOrAdmin)
export class VerificationController {
  constructor(private readonly verification: Verification) {}

  /** The state and verdict of this node's last replay of the whole ledger. */
  @Get()
  @UseInterceptors(AfterPositionInterceptor)
  read() {
    return this.verification.state;
  }

  /** Starts a replay of the whole ledger, unless one is running. Does not wait for its end. */
  @Post()
  @HttpCode(202)
  start() {
    return this.verification.start();
  }
}
