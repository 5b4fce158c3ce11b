import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { RoundsController } from './rounds.controller.js';
import { RoundsQueries } from './rounds.queries.js';

/** Past rounds, for everybody. */
@Module({
  imports: [AuditModule],
  controllers: [RoundsController],
  providers: [RoundsQueries],
})
export class RoundsModule {}
