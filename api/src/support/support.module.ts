import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TicketRow } from '../../../projections/src/views/tickets.entity.js';
import { GamerNamesModule } from '../gamers/gamer-names.module.js';
import { GamerLimits } from '../http/gamer-limits.store.js';
import { SupportController } from './support.controller.js';
import { OpenTicketHandler, UpdateTicketHandler } from './support.handlers.js';
import { TicketsQueries } from './tickets.queries.js';

@Module({
  imports: [CqrsModule, GamerNamesModule, TypeOrmModule.forFeature([TicketRow])],
  controllers: [SupportController],
  providers: [TicketsQueries, GamerLimits, OpenTicketHandler, UpdateTicketHandler],
})
export class SupportModule {}
