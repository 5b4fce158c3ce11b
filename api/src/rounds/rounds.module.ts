import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { RoundsController } from './rounds.controller.js';
import { RoundsQueries } from './rounds.queries.js';

/** Rounds that are looked at again, by anyone. */
@Module({
  imports: [AuditModule],
  controllers: [RoundsController],
  providers: [RoundsQueries],
})
export class RoundsModule {}
