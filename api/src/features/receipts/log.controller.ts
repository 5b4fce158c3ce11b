import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignedHead } from '../../../../contracts/transparency/signed-head.js';
import { HASH_BYTES, parseTilePath, type Tile, tileWidth } from '../../../../contracts/transparency/tree.js';
import { CACHE_FOR_A_YEAR } from '../../http/web.js';
import { Unavailable } from '../../platform/failures.js';
import { LogTilesQueries } from './log-tiles.queries.js';
import { SignedHeadsStore } from './signed-heads.store.js';

const TEXT = 'text/plain; charset=utf-8';
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
  reply.headers({ 'content-type': TEXT, 'cache-control': FOR_SECONDS });
  return head.note;
}

/** The body of a 404, in text as strangers' tools want it. */
export function notFound(reply: FastifyReply): string {
  reply.status(404).type(TEXT);
  return 'Not found\n';
}
