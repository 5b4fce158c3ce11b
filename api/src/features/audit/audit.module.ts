import { Module } from '@nestjs/common';
import { Statements } from '../statements/statements.queries.js';
import { AuditController } from './audit.controller.js';
import { AuditEvents } from './audit-events.js';
import { LedgerIndexQueries } from './ledger-index.queries.js';
import { PurchaseOutcomes } from './purchase-outcomes.queries.js';
import { RawEvents } from './raw-events.js';
import { Verification } from './verification.js';

/** The audit screens (decision 35). Events come from the log; read models only index them. */
@Module({
  controllers: [AuditController],
  providers: [AuditEvents, LedgerIndexQueries, PurchaseOutcomes, RawEvents, Statements, Verification],
  exports: [LedgerIndexQueries, RawEvents, Statements, Verification],
})
export class AuditModule {}
