import { Injectable } from '@nestjs/common';
import { EntityManager, FindOptionsWhere } from 'typeorm';
import type { AdminTicket, SupportTicket } from '../../../../contracts/http/support.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { TicketRow } from '../../../../projections/src/views/tables.entity.js';
import { type Page, skipTakeOf } from '../../http/page.js';
import { GamerTags } from '../gamers/gamers.queries.js';

@Injectable()
export class TicketsQueries {
  constructor(
    private readonly tables: EntityManager,
    private readonly tags: GamerTags,
  ) {}

  async of(gamerId: GamerId, page: Page): Promise<SupportTicket[]> {
    return (await this.page({ gamerId }, page)).map(ticketOf);
  }

  async all(page: Page, where: FindOptionsWhere<TicketRow>): Promise<AdminTicket[]> {
    const rows = await this.page(where, page);
    const tagOf = await this.tags.of(rows.map(({ gamerId }) => gamerId));
    return rows.map((row) => ({ ...ticketOf(row), gamerId: row.gamerId, gamerTag: tagOf(row.gamerId) }));
  }

  private page(where: FindOptionsWhere<TicketRow>, page: Page): Promise<TicketRow[]> {
    return this.tables.find(TicketRow, { where, order: { createdAtMs: 'DESC', id: 'ASC' }, ...skipTakeOf(page) });
  }
}

function ticketOf({ id, subject, status, messages, createdAtMs, resolvedAtMs }: TicketRow): SupportTicket {
  const message = messages[0]?.text ?? '';
  const adminNotes = messages.findLast(({ from }) => from === 'support')?.text ?? null;
  return { id, subject, message, status, createdAt: createdAtMs, resolvedAt: resolvedAtMs, adminNotes, messages };
}
