import { Controller, Get, Module, Query, UseGuards } from '@nestjs/common';
import { AuditorOrAdmin } from '../../http/guards.js';
import { ReadsViews } from '../../http/position.interceptors.js';
import { AuditModule } from '../audit/audit.controller.js';
import { StatementQuery, Statements } from './statements.queries.js';

@Controller('api/audit/statements')
@UseGuards(AuditorOrAdmin)
@ReadsViews()
export class StatementsController {
  constructor(private readonly statements: Statements) {}

  /** An account's statement from one day in New York to another, both included; the last thirty days by default. */
  @Get()
  statement(@Query() query: StatementQuery) {
    return this.statements.of(query);
  }
}

@Module({ imports: [AuditModule], controllers: [StatementsController], providers: [Statements], exports: [Statements] })
export class StatementsModule {}
