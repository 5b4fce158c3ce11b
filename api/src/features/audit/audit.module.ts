import { Module } from '@nestjs/common';
import { ActivityQueries } from '../activity/activity.queries.js';
import { Statements } from '../statements/statements.queries.js';
import { ActivityController, AuditController, VerificationController } from './audit.controller.js';
import { AuditEvents } from './audit-events.js';
import { EventSearchQueries, LedgerIndexQueries } from './ledger-index.queries.js';
import { LedgerPages } from './ledger-pages.js';
import { RawEvents } from './raw-events.js';
import { SignificantEvents } from './significant-events.js';
import { Verification } from './verification.js';

/** The audit screens (decision 35) and the activity log. Events come from the log; read models only index them. */
@Module({
  controllers: [ActivityController, AuditController, VerificationController],
  providers: [
    ActivityQueries,
    AuditEvents,
    LedgerIndexQueries,
    LedgerPages,
    RawEvents,
    EventSearchQueries,
    SignificantEvents,
    Statements,
    Verification,
  ],
  exports: [LedgerIndexQueries, RawEvents, Statements, Verification],
})
export class AuditModule {}
