import { Controller, Get, HttpCode, Module, Param, Post, Query, UseGuards } from '@nestjs/common';
import { AuditorOrAdmin } from '../../http/guards.js';
import { ReadsViews } from '../../http/position.interceptors.js';
import { eventNumber } from '../../http/validation.js';
import { AuditEvents, LedgerQuery } from './audit-events.js';
import { LedgerIndexQueries, PurchaseOutcomes, RawEvents } from './ledger-index.queries.js';
import { Verification } from './verification.js';

@Controller('api/audit')
@UseGuards(AuditorOrAdmin)
@ReadsViews()
export class AuditController {
  constructor(
    private readonly events: AuditEvents,
    private readonly verification: Verification,
  ) {}

  /** The ledger's events, newest first, filtered by `before` (a number), type, round and the search text `find`. */
  @Get('ledger')
  ledger(@Query() query: LedgerQuery) {
    return this.events.page(query);
  }

  /** The trial balance as of an event. */
  @Get('trial-balances/:number')
  trialBalance(@Param('number', eventNumber) number: number) {
    return this.events.trialBalanceAsOf(number);
  }

  /** The ended rounds, and the times of the ledger's first and last event. */
  @Get('rounds')
  rounds() {
    return this.events.rounds();
  }

  /** An event with its postings and its chain, as recorded in the log. */
  @Get('events/:number')
  event(@Param('number', eventNumber) number: number) {
    return this.events.event(number);
  }

  /** The state and verdict of this node's last replay of the whole ledger. */
  @Get('verification')
  lastVerification() {
    return this.verification.latest;
  }

  /** Starts a replay of the whole ledger, unless one is running. Does not wait for its end. */
  @Post('verification')
  @HttpCode(202)
  verify() {
    return this.verification.start();
  }
}

/** The audit screens (decision 35). Events come from the log; read models only index them. */
@Module({
  controllers: [AuditController],
  providers: [AuditEvents, LedgerIndexQueries, PurchaseOutcomes, RawEvents, Verification],
  exports: [AuditEvents, LedgerIndexQueries, PurchaseOutcomes, RawEvents, Verification],
})
export class AuditModule {}
