import { Controller, Get, Param, UseGuards, UseInterceptors } from '@nestjs/common';
import type { GenealogyResponse } from '../../../contracts/http/gamers.js';
import { AfterPositionInterceptor } from '../http/after-position.interceptor.js';
import { CurrentSession, type GamerOfSession, LoggedIn } from '../http/session.js';
import { GenealogyQueries } from './genealogy.queries.js';

@Controller('api/genealogy')
@UseGuards(LoggedIn)
@UseInterceptors(AfterPositionInterceptor)
export class GenealogyController {
  constructor(private readonly queries: GenealogyQueries) {}

  /** The matrix below oneself or a gamer of one’s own downline; the admin opens everyone’s. */
  @Get(':id')
  open(@CurrentSession() session: GamerOfSession, @Param('id') id: string): Promise<GenealogyResponse> {
    return this.queries.open(id, { gamerId: session.gamerId, isAdmin: session.role === 'admin' });
  }
}
