import { Controller, Get, Header, Module, Param, Query, Req, UseInterceptors } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Registry } from 'prom-client';
import type { LedgerEvent } from '../../../../contracts/events/ledger-events.js';
import type { LedgerKeys } from '../../../../contracts/http/receipts.js';
import { AfterPositionInterceptor } from '../../http/position.interceptors.js';
import { type SessionGamer, SessionGamers } from '../../http/session.js';
import { optionalQuery, ROUND_ID } from '../../http/validation.js';
import { Ledger } from '../../ledger/ledger.js';
import { Config } from '../../platform/config.js';
import { Refused } from '../../platform/failures.js';
import { AuditModule } from '../audit/audit.controller.js';
import { HeadSigner } from './head-signer.js';
import { LedgerProofs } from './ledger-proofs.js';
import { LedgerSigners } from './ledger-signers.js';
import { LogController } from './log.controller.js';
import { LogTilesQueries } from './log-tiles.queries.js';
import { SignedHeadsStore } from './signed-heads.store.js';
import { Witnesses, witnessPolicy } from './witnesses.js';

const REVISION = /^\d{1,15}$/;
const TEXT = ['Content-Type', 'text/plain; charset=utf-8'] as const;

export class EventIdQuery {
  /** The event's id, from the receipt. */
  @optionalQuery(36, 'id must be the id of an event') id?: string;
}

/** A purchase belongs to its buyer's account; whoever answers complaints or audits may open it, too. */
const mayOpen = ({ gamerId, role, powers }: SessionGamer, { type, data }: LedgerEvent): boolean =>
  role === 'admin' ||
  role === 'auditor' ||
  (type === 'TokenPurchased' && (data.buyerId === gamerId || powers.includes('support')));

/** The keys, and the proofs that anyone may check, without a login (docs/receipts.md). */
@Controller('api/ledger')
export class ReceiptsController {
  constructor(
    private readonly proofs: LedgerProofs,
    private readonly signers: LedgerSigners,
    private readonly witnesses: Witnesses,
    private readonly ledger: Ledger,
    private readonly gamers: SessionGamers,
  ) {}

  /** The public keys that sign the ledger's heads, the policy of its witnesses, and what the ledger lost. */
  @Get('key')
  async key(): Promise<LedgerKeys> {
    const losses = this.ledger.decided.fields.losses.map(async ({ revision, atMs, ...lost }) => {
      const keys = await this.signers.keys(lost.signedOrigin);
      return { number: revision + 1, atEpochMs: atMs, ...lost, keys };
    });
    return {
      name: this.signers.name,
      keys: await this.signers.keys(),
      policy: this.witnesses.policy?.text ?? null,
      losses: await Promise.all(losses),
    };
  }

  /** A proof of an event as c2sp.org/tlog-proof, for the holder of its receipt; without an id for its buyer, logged in anywhere. */
  @Get('events/:revision/proof')
  @Header(...TEXT)
  async event(
    @Param('revision') revision: string,
    @Query() { id }: EventIdQuery,
    @Req() { session }: FastifyRequest,
  ): Promise<string> {
    if (!REVISION.test(revision)) throw new Refused('not-found');
    if (id !== undefined) return this.proofs.ofEvent(Number(revision), (event) => event.id === id);
    const gamer = await this.gamers.gamerOfSession(session);
    if (!gamer) throw new Refused('not-logged-in');
    if (gamer.needsSecondFactor) throw new Refused('second-factor-required');
    return this.proofs.ofEvent(Number(revision), ({ event }) => mayOpen(gamer, event));
  }

  /** A proof of the event that ended a round, and of its last purchase, as c2sp.org/tlog-proof. */
  @Get('rounds/:roundId/proof')
  @Header(...TEXT)
  @UseInterceptors(AfterPositionInterceptor)
  roundEnd(@Param('roundId') roundId: string): Promise<string> {
    if (!ROUND_ID.test(roundId)) throw new Refused('not-found');
    return this.proofs.ofRoundEnd(Number(roundId));
  }
}

@Module({
  imports: [AuditModule],
  controllers: [LogController, ReceiptsController],
  providers: [
    HeadSigner,
    LedgerProofs,
    LogTilesQueries,
    SignedHeadsStore,
    {
      provide: LedgerSigners,
      useFactory: (config: Config, ledger: Ledger) => new LedgerSigners(config, () => ledger.decided.fields.losses),
      inject: [Config, Ledger],
    },
    {
      provide: Witnesses,
      useFactory: async (config: Config, heads: SignedHeadsStore, tiles: LogTilesQueries, registry: Registry) =>
        new Witnesses(await witnessPolicy(config.witnesses), heads, tiles, registry),
      inject: [Config, SignedHeadsStore, LogTilesQueries, Registry],
    },
  ],
  exports: [HeadSigner, LedgerSigners, Witnesses],
})
export class ReceiptsModule {}
