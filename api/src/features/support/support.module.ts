import { Module } from '@nestjs/common';
import { OpenTicketHandler, UpdateTicketHandler } from './support.commands.js';
import { SupportController } from './support.controller.js';
import { TicketsQueries } from './tickets.queries.js';

@Module({
  controllers: [SupportController],
  providers: [TicketsQueries, OpenTicketHandler, UpdateTicketHandler],
})
export class SupportModule {}
