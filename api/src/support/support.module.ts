import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TicketRow } from '../../../projections/src/views/tickets.entity.js';
import { OpenTicketHandler, UpdateTicketHandler } from './support.commands.js';
import { SupportController } from './support.controller.js';
import { TicketsQueries } from './tickets.queries.js';

@Module({
  imports: [TypeOrmModule.forFeature([TicketRow])],
  controllers: [SupportController],
  providers: [TicketsQueries, OpenTicketHandler, UpdateTicketHandler],
})
export class SupportModule {}
