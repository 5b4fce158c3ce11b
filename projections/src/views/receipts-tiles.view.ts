import type { LedgerMetadata } from '../../../contracts/events/metadata.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import { addEntry, addLeaf, EMPTY_TREE } from '../../../domain/ledger/tree.js';
import type { Db } from '../database.js';
import { sqlRows } from '../sql-rows.js';
import type { View } from './view.js';

const TILE_WIDTH = 256;
/** Of a hash in hex. */
const HEX_LENGTH = 64;

/**
 * The ledger's tree in tiles (c2sp.org/tlog-tiles). A row is a tile as wide as it has become. Level 0 has the entries, which
 * are the events' chain hashes; each level above has the roots of the full tiles below it.
 */
export const logTilesView: View = {
  name: 'log-tiles',
  version: 1,
  tables: ['log_tiles'],
  // Hashes cannot be compressed.
  ddl: `
    CREATE TABLE log_tiles (level smallint NOT NULL, index bigint NOT NULL, hashes bytea NOT NULL, PRIMARY KEY (level, index));
    ALTER TABLE log_tiles ALTER COLUMN hashes SET STORAGE EXTERNAL`,

  async apply({ events }, db) {
    const ofLedger = events.filter(({ stream }) => stream === LEDGER_STREAM);
    let first = ofLedger[0]?.revision ?? 0;
    let hashes = ofLedger.map(({ metadata }) => (metadata as LedgerMetadata).chain);
    for (let level = 0; hashes.length > 0; level += 1) {
      const tiles = await appendHashes(level, first, hashes, db);
      hashes = tiles.filter((tile) => tile.length === TILE_WIDTH * HEX_LENGTH).map((tile) => rootOf(level, tile));
      first = Math.floor(first / TILE_WIDTH);
    }
  },
};

/** Appends hashes, as hex, to a level that has `first` of them. Returns the tiles that it changed, whole. */
async function appendHashes(level: number, first: number, hashes: readonly string[], db: Db): Promise<string[]> {
  const index = Math.floor(first / TILE_WIDTH);
  const begun = first % TILE_WIDTH === 0 ? '' : await readTile(level, index, db);
  if (begun.length !== (first % TILE_WIDTH) * HEX_LENGTH)
    throw new Error(
      `tile ${level}/${index} has ${begun.length / HEX_LENGTH} hashes, and hash ${first} does not follow`,
    );
  const tiles = cut(begun + hashes.join(''), TILE_WIDTH * HEX_LENGTH);
  const { sql, parameters } = sqlRows('tile', [...tiles.entries()], {
    level: ['smallint', () => level],
    index: ['bigint', ([offset]) => index + offset],
    hashes: ['text', ([, tile]) => tile],
  });
  await db.query(
    `INSERT INTO log_tiles SELECT level, index, decode(hashes, 'hex') FROM ${sql}
     ON CONFLICT (level, index) DO UPDATE SET hashes = excluded.hashes`,
    parameters,
  );
  return tiles;
}

async function readTile(level: number, index: number, db: Db): Promise<string> {
  const { rows } = await db.query<{ hashes: string }>(
    "SELECT encode(hashes, 'hex') AS hashes FROM log_tiles WHERE level = $1 AND index = $2",
    [level, index],
  );
  return rows[0]?.hashes ?? '';
}

const cut = (text: string, length: number): string[] =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, at) => text.slice(at * length, (at + 1) * length));

/** The root of a full tile's subtree, as hex. */
function rootOf(level: number, tile: string): string {
  const { peaks } = cut(tile, HEX_LENGTH).reduce(level === 0 ? addEntry : addLeaf, EMPTY_TREE);
  return peaks[0] as string;
}
