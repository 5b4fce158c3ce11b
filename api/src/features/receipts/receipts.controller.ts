import { Controller, Get, Header, Module, Param, Query, Req, Res, UseInterceptors } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Registry } from 'prom-client';
import type { LedgerEvent } from '../../../../contracts/events/ledger-events.js';
import type { LedgerKeys } from '../../../../contracts/http/receipts.js';
import type { SignedHead } from '../../../../contracts/transparency/signed-head.js';
import { HASH_BYTES, parseTilePath, type Tile, tileWidth } from '../../../../contracts/transparency/tree.js';
import { AfterPositionInterceptor } from '../../http/position.interceptors.js';
import { type SessionGamer, SessionGamers } from '../../http/session.js';
import { eventNumber, optionalQuery, roundNumber } from '../../http/validation.js';
import { CACHE_FOR_A_YEAR } from '../../http/web.js';
import { Ledger } from '../../ledger/ledger.js';
import { Config } from '../../platform/config.js';
import { Refused, Unavailable } from '../../platform/failures.js';
import { AuditModule } from '../audit/audit.controller.js';
import { HeadSigner } from './head-signer.js';
import { LedgerProofs } from './ledger-proofs.js';
import { LedgerSigners } from './ledger-signers.js';
import { LogTilesQueries } from './log-tiles.queries.js';
import { SignedHeadsStore } from './signed-heads.store.js';
import { Witnesses, witnessPolicy } from './witnesses.js';

const PLAIN_TEXT = 'text/plain; charset=utf-8';

export class EventIdQuery {
  /** The event's id, from the receipt. */
  @optionalQuery(36, 'id must be the id of an event') id?: string;
}

/** A purchase belongs to its buyer's account; auditors, and staff who answer complaints, may open it too. */
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
    const losses = this.ledger.decided.losses.map(async ({ revision, atMs, ...lost }) => {
      const keys = await this.signers.keys(lost.signedOrigin);
      return { number: revision + 1, atMs, ...lost, keys };
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
  @Header('Content-Type', PLAIN_TEXT)
  async event(
    @Param('revision', eventNumber) revision: number,
    @Query() { id }: EventIdQuery,
    @Req() { session }: FastifyRequest,
  ): Promise<string> {
    if (id !== undefined) return this.proofs.ofEvent(revision, (event) => event.id === id);
    const gamer = await this.gamers.gamerOfSession(session);
    if (!gamer) throw new Refused('not-logged-in');
    if (gamer.needsSecondFactor) throw new Refused('second-factor-required');
    return this.proofs.ofEvent(revision, ({ event }) => mayOpen(gamer, event));
  }

  /** A proof of the event that ended a round, and of its last purchase, as c2sp.org/tlog-proof. */
  @Get('rounds/:roundId/proof')
  @Header('Content-Type', PLAIN_TEXT)
  @UseInterceptors(AfterPositionInterceptor)
  roundEnd(@Param('roundId', roundNumber) roundId: number): Promise<string> {
    return this.proofs.ofRoundEnd(roundId);
  }
}

const FOR_SECONDS = 'public, max-age=2';
/** Length of an entry in a bundle: it follows its own length in two bytes. */
const ENTRY_BYTES = 2 + HASH_BYTES;

/** The ledger as a log of c2sp.org/tlog-tiles, for strangers' programs. Other paths are a 404 that nobody caches. */
@Controller('log')
export class LogController {
  /** Number of events in a head that was signed; perhaps not the newest. */
  private signedSize = 0;

  constructor(
    private readonly heads: SignedHeadsStore,
    private readonly tiles: LogTilesQueries,
  ) {}

  /** The newest signed head, with the cosignatures that it has by now. */
  @Get('checkpoint')
  async newest(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    return noteOf(await this.heads.newest(), reply);
  }

  /** The newest signed head that has the quorum of its witnesses. */
  @Get('checkpoint/witnessed')
  async witnessed(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    return noteOf(await this.heads.newestWitnessed(), reply);
  }

  /** A tile, `tile/0/x001/067`, or a bundle of entries, `tile/entries/x001/067.p/8`, of the signed heads. */
  @Get('*')
  async tile(
    @Req() { url }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer | string> {
    const tile = parseTilePath(url.replace(/^\/log\//, '').replace(/\?.*$/, ''));
    if (tile === null || !(await this.isSigned(tile))) return notFound(reply);
    const content = await this.tiles.content(tile);
    if (content.length !== tile.width * (tile.level === 'entries' ? ENTRY_BYTES : HASH_BYTES))
      throw new Unavailable(`the tables have no ${url} yet`);
    reply.headers({ 'content-type': 'application/octet-stream', 'cache-control': CACHE_FOR_A_YEAR });
    return content;
  }

  private async isSigned({ level, index, width }: Tile): Promise<boolean> {
    if (width <= tileWidth(level, index, this.signedSize)) return true;
    this.signedSize = (await this.heads.newest())?.size ?? 0;
    return width <= tileWidth(level, index, this.signedSize);
  }
}

function noteOf(head: SignedHead | null, reply: FastifyReply): string {
  if (head === null) return notFound(reply);
  reply.headers({ 'content-type': PLAIN_TEXT, 'cache-control': FOR_SECONDS });
  return head.note;
}

/** The body of a 404, in text as strangers' tools want it. */
export function notFound(reply: FastifyReply): string {
  reply.status(404).type(PLAIN_TEXT);
  return 'Not found\n';
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
      useFactory: (config: Config, ledger: Ledger) => new LedgerSigners(config, () => ledger.decided.losses),
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
