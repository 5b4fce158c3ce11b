import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { concat, HASH_BYTES, type ReadTile, readOnce, type Tile } from '../../../../contracts/transparency/tree.js';

/** The names of the read models that tiles come from. */
export const TILE_VIEWS = ['log-tiles'];

/** Tiles of the ledger's tree (projections/src/views/receipts-tiles.view.ts). */
@Injectable()
export class LogTilesQueries {
  constructor(private readonly pool: Pool) {}

  /** The tile as it is served: hashes, or entries, each after its length in two bytes. Shorter than requested while the table is behind. */
  async content({ level, index, width }: Tile): Promise<Buffer> {
    const hashes = await stored(this.pool, { level: level === 'entries' ? 0 : level, index, width });
    if (level === 'entries') return Buffer.concat(hashesIn(hashes).flatMap((entry) => [ENTRY_LENGTH, entry]));
    return level === 0 ? leavesOf(hashes) : hashes;
  }

  /** Hashes that the table lacks are missing at the end of a tile. */
  reader(): ReadTile {
    return readOnce(async (tile) => {
      const hashes = await stored(this.pool, tile);
      return concat([tile.level === 0 ? leavesOf(hashes) : hashes]);
    });
  }
}

const ENTRY_LENGTH = Buffer.from([0, HASH_BYTES]);
const LEAF = Buffer.of(0);

async function stored(db: Pool, { level, index, width }: Tile): Promise<Buffer> {
  const { rows } = await db.query<{ hashes: Buffer }>(
    'SELECT substring(hashes FOR $3) AS hashes FROM read.log_tiles WHERE level = $1 AND index = $2',
    [level, index, width * HASH_BYTES],
  );
  return rows[0]?.hashes ?? Buffer.of();
}

const leavesOf = (entries: Buffer): Buffer =>
  Buffer.concat(hashesIn(entries).map((entry) => hash('sha256', Buffer.concat([LEAF, entry]), 'buffer')));

const hashesIn = (bytes: Buffer): Buffer[] =>
  Array.from({ length: bytes.length / HASH_BYTES }, (_, at) => bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES));
