import { Controller, Get, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import type { StatementResponse } from '../../../contracts/http/audit.js';
import { AfterPositionInterceptor } from '../http/after-position.interceptor.js';
import { AuditorOrAdmin } from '../http/session.js';
import { StatementQuery } from './audit.dto.js';
import { Statements } from './statements.js';

@Controller('api/audit/statements')
@UseGuards(AuditorOrAdmin)
@UseInterceptors(AfterPositionInterceptor)
export class StatementsController {
  constructor(private readonly statements: Statements) {}

  /** An account's statement over some days of New York, both included: the last thirty unless others are asked for. */
  @Get()
  read(@Query() query: StatementQuery): Promise<StatementResponse> {
    return this.statements.of(query);
  }
}
