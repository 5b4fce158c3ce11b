import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LedgerBooksRow, LedgerRareRow, LedgerRoundRow } from '../../../projections/src/views/ledger-index.entity.js';
import { GamerNamesModule } from '../gamers/gamer-names.module.js';
import { AuditController } from './audit.controller.js';
import { AuditEvents } from './audit-events.js';
import { LedgerIndexQueries } from './ledger-index.queries.js';
import { LedgerPages } from './ledger-pages.js';
import { MerkleProofs } from './merkle-proofs.js';
import { RawEvents } from './raw-events.js';
import { SoughtQueries } from './sought.queries.js';
import { StatementsController } from './statements.controller.js';
import { Statements } from './statements.js';
import { StatementsQueries } from './statements.queries.js';
import { VerificationController } from './verification.controller.js';
import { Verification } from './verification.js';
import { Verifier } from './verifier.js';

/** What auditors see (decision 35): the ledger as it stands in the log, found by way of the tables. */
@Module({
  imports: [GamerNamesModule, TypeOrmModule.forFeature([LedgerBooksRow, LedgerRareRow, LedgerRoundRow])],
  controllers: [AuditController, StatementsController, VerificationController],
  providers: [
    AuditEvents,
    LedgerIndexQueries,
    LedgerPages,
    MerkleProofs,
    RawEvents,
    SoughtQueries,
    Statements,
    StatementsQueries,
    Verification,
    Verifier,
  ],
})
export class AuditModule {}
