import { Controller, Get, Header, Module, Param, Query, Res, UseInterceptors } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import type { FastifyReply } from 'fastify';
import type { LedgerEventProof, LedgerKeys } from '../../../../contracts/http/receipts.js';
import { AfterPositionInterceptor } from '../../http/position.interceptors.js';
import { ROUND_ID } from '../../http/validation.js';
import { Config } from '../../platform/config.js';
import { Refused } from '../../platform/failures.js';
import { AuditModule } from '../audit/audit.module.js';
import { LedgerProofs } from '../audit/audit-events.js';
import { Checkpoints, LedgerSigners } from './signed-heads.js';

const WHOLE_NUMBER = /^\d{1,15}$/;
const NO_SIZE = { message: 'size must be a number of events' };
const NO_ID = { message: 'id must be the id of an event' };

export class CheckpointQuery {
  /** Number of events; the present one when absent. */
  @Type(() => Number)
  @IsInt(NO_SIZE)
  @Min(0, NO_SIZE)
  @Max(Number.MAX_SAFE_INTEGER, NO_SIZE)
  @IsOptional()
  size?: number;
}

export class EventIdQuery {
  /** The event's id, from the receipt. */
  @MaxLength(36, NO_ID)
  @IsString(NO_ID)
  id!: string;
}

/** The proofs that anyone may check, without a login (docs/receipts.md). */
@Controller('api/ledger')
export class CheckpointsController {
  constructor(
    private readonly checkpoints: Checkpoints,
    private readonly proofs: LedgerProofs,
    private readonly signers: LedgerSigners,
  ) {}

  /** The ledger's signed head in C2SP's checkpoint form; with `size` as of that number of events. */
  @Get('checkpoint')
  @Header('Cache-Control', 'no-store')
  async checkpoint(
    @Query() { size }: CheckpointQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const text = size === undefined ? this.checkpoints.latest() : await this.checkpoints.at(size);
    reply.type('text/plain; charset=utf-8');
    return text;
  }

  /** The public keys that sign checkpoints. */
  @Get('key')
  key(): LedgerKeys {
    const { name } = this.signers.current;
    return { name, keys: this.signers.all.map(({ verifierKey }) => verifierKey) };
  }

  /** An event as recorded, and the chain before it, for the holder of its receipt. */
  @Get('events/:revision')
  @Header('Cache-Control', 'no-store')
  event(@Param('revision') revision: string, @Query() { id }: EventIdQuery): Promise<LedgerEventProof> {
    return this.proofs.event(wholeNumber(revision), id);
  }

  /** The event that ended a round, and the chain before it. */
  @Get('rounds/:roundId')
  @UseInterceptors(AfterPositionInterceptor)
  roundEnd(@Param('roundId') roundId: string): Promise<LedgerEventProof> {
    if (!ROUND_ID.test(roundId)) throw new Refused('not-found');
    return this.proofs.roundEnd(Number(roundId));
  }
}

function wholeNumber(text: string): number {
  if (!WHOLE_NUMBER.test(text)) throw new Refused('not-found');
  return Number(text);
}

@Module({
  imports: [AuditModule],
  controllers: [CheckpointsController],
  providers: [
    Checkpoints,
    LedgerProofs,
    { provide: LedgerSigners, useFactory: (config: Config) => new LedgerSigners(config), inject: [Config] },
  ],
})
export class CheckpointsModule {}
