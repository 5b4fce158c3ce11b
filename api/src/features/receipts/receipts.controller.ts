import { Controller, Get, Header, Injectable, Module, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Registry } from 'prom-client';
import type { LedgerEvent } from '../../../../contracts/events/ledger-events.js';
import type { RecordedLedgerEvent } from '../../../../contracts/events/recorded.js';
import type { LedgerKeys } from '../../../../contracts/http/receipts.js';
import type { RoundId } from '../../../../contracts/ids.js';
import * as proofs from '../../../../contracts/transparency/proof-file.js';
import type { SignedHead } from '../../../../contracts/transparency/signed-head.js';
import { bytesOfHex } from '../../../../contracts/transparency/signed-note.js';
import * as tree from '../../../../contracts/transparency/tree.js';
import { acceptedLosses } from '../../../../domain/history-loss.js';
import { CHAIN_START, contentHashOf } from '../../../../domain/ledger/chain.js';
import { ReadsViews } from '../../http/position.interceptors.js';
import { type SessionGamer, SessionGamers } from '../../http/session.js';
import { eventNumber, optionalQuery, roundNumber } from '../../http/validation.js';
import { CACHE_FOR_A_YEAR } from '../../http/web.js';
import { Ledger } from '../../ledger/ledger.js';
import { Config } from '../../platform/config.js';
import { Refused, Unavailable } from '../../platform/failures.js';
import { AuditModule } from '../audit/audit.controller.js';
import { LedgerIndexQueries, RawEvents, type RevisionRange } from '../audit/ledger-index.queries.js';
import { HeadSigner } from './head-signer.js';
import { LedgerSigners } from './ledger-signers.js';
import { TransparencyLogStore } from './transparency-log.store.js';
import { Witnesses, witnessPolicy } from './witnesses.js';

/** Proofs that can be checked offline (c2sp.org/tlog-proof, docs/receipts.md). */
@Injectable()
class LedgerProofs {
  constructor(
    private readonly raw: RawEvents,
    private readonly index: LedgerIndexQueries,
    private readonly log: TransparencyLogStore,
    private readonly signer: HeadSigner,
  ) {}

  /** The proof of an event that the reader may open. Throws Refused for any other event, and beyond the log's end. */
  async ofEvent(revision: number, mayOpen: (event: RecordedLedgerEvent) => boolean): Promise<string> {
    const { chainBefore, events } = await this.read({ from: revision, to: revision });
    const [event] = events;
    if (!event || !mayOpen(event)) throw new Refused({ code: 'event-not-found', parameters: { number: revision + 1 } });
    return this.write(event, chainBefore, [opened(event)]);
  }

  /** A round's end, and all events from its last purchase on. The purchase stays closed, because it names the winner's uplines. */
  async ofRoundEnd(roundId: RoundId): Promise<string> {
    const round = await this.index.rangeOfEndedRound(roundId);
    const [end] = await this.raw.atRevisions([round.to]);
    if (end?.event.type !== 'RoundEnded')
      throw new Unavailable(`event ${round.to + 1} is not the end of round ${roundId}`);
    const winningId = end.event.data.winner?.purchaseId;
    const from = winningId === undefined ? round.to : await this.index.revisionOfPurchase(winningId);
    const { chainBefore, events } = await this.read({ from, to: round.to });
    const isOpened = ({ event }: RecordedLedgerEvent) =>
      event.type === 'RoundEnded' || (event.type === 'TimeExtended' && event.data.purchaseId === winningId);
    const shown = events.map((one) => (isOpened(one) ? opened(one) : closed(one)));
    return this.write(end, chainBefore, shown);
  }

  private async read({ from, to }: RevisionRange): Promise<{ chainBefore: string; events: RecordedLedgerEvent[] }> {
    let chainBefore = CHAIN_START;
    const events: RecordedLedgerEvent[] = [];
    for await (const one of this.raw.range({ from: Math.max(0, from - 1), to })) {
      if (one.revision < from) chainBefore = one.metadata.chain;
      else events.push(one);
    }
    return { chainBefore, events };
  }

  /** Writes the proof of the last of the events. Throws Unavailable when the tiles do not lead to the head. */
  private async write(
    { revision: index, metadata }: RecordedLedgerEvent,
    chainBefore: string,
    events: readonly (proofs.OpenedEvent | proofs.ClosedEvent)[],
  ): Promise<string> {
    let head = await this.log.covering(index);
    if (head === null) {
      await this.signer.sign();
      head = await this.log.covering(index);
    }
    if (head === null) throw new Unavailable(`no signed head covers event ${index + 1} yet`);
    const hashes = await tree.inclusionProof(index, head.size, this.log.tileReader());
    const isProved = await tree.isIncluded(index, await tree.leafHash(bytesOfHex(metadata.chain)), head, hashes);
    if (!isProved) throw new Unavailable(`the tiles do not prove event ${index + 1}`);
    return proofs.writeProofFile({ extra: { format: proofs.PROOF_FORMAT, chainBefore, events }, index, hashes, head });
  }
}

function opened({ id, event, metadata }: RecordedLedgerEvent): proofs.OpenedEvent {
  const { chain: _, ...covered } = metadata;
  return { id, type: event.type, data: { ...event.data }, metadata: covered };
}

const closed = ({ id, event, metadata }: RecordedLedgerEvent): proofs.ClosedEvent => ({
  type: event.type,
  contentHash: contentHashOf(id, event.data, metadata),
});

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
    const losses = this.ledger.ask(acceptedLosses).map(async ({ revision, atMs, ...lost }) => {
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
  @ReadsViews()
  roundEnd(@Param('roundId', roundNumber) roundId: number): Promise<string> {
    return this.proofs.ofRoundEnd(roundId);
  }
}

const FOR_SECONDS = 'public, max-age=2';
/** Length of an entry in a bundle: it follows its own length in two bytes. */
const ENTRY_BYTES = 2 + tree.HASH_BYTES;

/** The ledger as a log of c2sp.org/tlog-tiles, for strangers' programs. Other paths are a 404 that nobody caches. */
@Controller('log')
export class LogController {
  /** Number of events in a head that was signed; perhaps not the newest. */
  private signedSize = 0;

  constructor(private readonly log: TransparencyLogStore) {}

  /** The newest signed head, with the cosignatures that it has by now. */
  @Get('checkpoint')
  async newest(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    return noteOf(await this.log.newest(), reply);
  }

  /** The newest signed head that has the quorum of its witnesses. */
  @Get('checkpoint/witnessed')
  async witnessed(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    return noteOf(await this.log.newestWitnessed(), reply);
  }

  /** A tile, `tile/0/x001/067`, or a bundle of entries, `tile/entries/x001/067.p/8`, of the signed heads. */
  @Get('*')
  async tile(@Req() { url }: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    const tile = tree.parseTilePath(url.replace(/^\/log\//, '').replace(/\?.*$/, ''));
    if (tile === null || !(await this.isSigned(tile))) return notFound(reply);
    const content = await this.log.tile(tile);
    if (content.length !== tile.width * (tile.level === 'entries' ? ENTRY_BYTES : tree.HASH_BYTES))
      throw new Unavailable(`the tables have no ${url} yet`);
    reply.headers({ 'content-type': 'application/octet-stream', 'cache-control': CACHE_FOR_A_YEAR });
    return content;
  }

  private async isSigned({ level, index, width }: tree.Tile): Promise<boolean> {
    if (width <= tree.tileWidth(level, index, this.signedSize)) return true;
    this.signedSize = (await this.log.newest())?.size ?? 0;
    return width <= tree.tileWidth(level, index, this.signedSize);
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
    TransparencyLogStore,
    {
      provide: LedgerSigners,
      useFactory: (config: Config, ledger: Ledger) => new LedgerSigners(config, () => ledger.ask(acceptedLosses)),
      inject: [Config, Ledger],
    },
    {
      provide: Witnesses,
      useFactory: async (config: Config, log: TransparencyLogStore, registry: Registry) =>
        new Witnesses(await witnessPolicy(config.witnesses), log, registry),
      inject: [Config, TransparencyLogStore, Registry],
    },
  ],
  exports: [HeadSigner, LedgerSigners, Witnesses],
})
export class ReceiptsModule {}
