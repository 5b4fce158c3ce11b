import {
  Controller,
  createParamDecorator,
  type ExecutionContext,
  Get,
  Param,
  Query,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import type { Response } from 'express';
import type {
  AuditEvent,
  AuditLedgerResponse,
  AuditMerkleProof,
  AuditMoment,
  AuditRoundsResponse,
} from '../../../contracts/http/audit.js';
import { AfterPositionInterceptor } from '../http/after-position.interceptor.js';
import { Refused } from '../http/refused.js';
import { AuditorOrAdmin } from '../http/session.js';
import { LedgerQuery } from './audit.dto.js';
import { AuditEvents } from './audit-events.js';
import { LedgerPages } from './ledger-pages.js';
import { MerkleProofs } from './merkle-proofs.js';

/** Aborted when whoever asked has gone. */
const Gone = createParamDecorator((_data: unknown, context: ExecutionContext): AbortSignal => {
  const gone = new AbortController();
  context
    .switchToHttp()
    .getResponse<Response>()
    .once('close', () => gone.abort());
  return gone.signal;
});

@Controller('api/audit')
@UseGuards(AuditorOrAdmin)
@UseInterceptors(AfterPositionInterceptor)
export class AuditController {
  constructor(
    private readonly pages: LedgerPages,
    private readonly events: AuditEvents,
    private readonly proofs: MerkleProofs,
  ) {}

  /** The ledger's events, newest first: those with a number below `before`, of a type, a round, or what `find` means. */
  @Get('ledger')
  ledger(@Query() { find, ...query }: LedgerQuery): Promise<AuditLedgerResponse> {
    return this.pages.page({ ...query, ...(find && { find }) });
  }

  /** The books as they stood after an event. */
  @Get('moments/:number')
  moment(@Param('number') number: string): Promise<AuditMoment> {
    return this.events.moment(eventNumber(number));
  }

  /** The rounds that are over, and from when to when the ledger goes. */
  @Get('rounds')
  rounds(): Promise<AuditRoundsResponse> {
    return this.events.rounds();
  }

  /** An event with its postings and its chain, as it stands in the log. */
  @Get('events/:number')
  event(@Param('number') number: string): Promise<AuditEvent> {
    return this.events.event(eventNumber(number));
  }

  /** That a purchase is in its round's Merkle root. */
  @Get('events/:number/merkle-proof')
  merkleProof(@Param('number') number: string, @Gone() gone: AbortSignal): Promise<AuditMerkleProof> {
    return this.proofs.of(eventNumber(number), gone);
  }
}

/** The ledger has no event of any other name. */
function eventNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Refused('not-found');
  return Number(text);
}
