import { TILE_WIDTH } from '../../../contracts/transparency/tree.js';
import { addEntry, addLeaf, EMPTY_TREE } from '../../../domain/ledger/tree.js';
import type { Db } from '../database.js';
import { sqlRows } from '../sql-rows.js';
import type { View } from './view.js';

/** The ledger's tree in tiles (c2sp.org/tlog-tiles), a row each. Level 0 has the events' chain hashes. */
export const logTilesView: View = {
  name: 'log-tiles',
  version: 1,
  tables: ['log_tiles'],
  // Hashes cannot be compressed.
  ddl: `
    CREATE TABLE log_tiles (level smallint NOT NULL, index bigint NOT NULL, hashes bytea NOT NULL, PRIMARY KEY (level, index));
    ALTER TABLE log_tiles ALTER COLUMN hashes SET STORAGE EXTERNAL`,

  async apply({ ofLedger }, db) {
    let first = ofLedger[0]?.revision ?? 0;
    let hashes = ofLedger.map(({ metadata }) => metadata.chain);
    for (let level = 0; hashes.length > 0; level += 1) {
      const full = await appendHashes(level, first, hashes, db);
      hashes = full.map((tile) => rootOf(level, tile));
      first = Math.floor(first / TILE_WIDTH);
    }
  },
};

/** Appends hashes, as hex, to a level that has `first` of them. Returns the tiles that became full. */
async function appendHashes(level: number, first: number, hashes: readonly string[], db: Db): Promise<string[]> {
  const parts: { index: number; hashes: string; width: number }[] = [];
  for (let at = 0; at < hashes.length; ) {
    const begun = (first + at) % TILE_WIDTH;
    const added = hashes.slice(at, at + TILE_WIDTH - begun);
    const index = Math.floor((first + at) / TILE_WIDTH);
    parts.push({ index, hashes: added.join(''), width: begun + added.length });
    at += added.length;
  }
  const { sql, parameters } = sqlRows('part', parts, {
    level: ['smallint', () => level],
    index: ['bigint', ({ index }) => index],
    hashes: ['text', (part) => part.hashes],
  });
  const { rows } = await db.query<{ index: number; width: number; full: string | null }>(
    `INSERT INTO log_tiles SELECT level, index, decode(hashes, 'hex') FROM ${sql}
     ON CONFLICT (level, index) DO UPDATE SET hashes = log_tiles.hashes || excluded.hashes
     RETURNING index::int, octet_length(hashes) / 32 AS width,
       CASE WHEN octet_length(hashes) = ${TILE_WIDTH * 32} THEN encode(hashes, 'hex') END AS full`,
    parameters,
  );
  const written = new Map(rows.map((row) => [row.index, row]));
  const wrong = parts.find(({ index, width }) => written.get(index)?.width !== width);
  if (wrong) throw new Error(`hash ${first} of level ${level} does not follow: tile ${wrong.index} has another width`);
  return parts.flatMap(({ index }) => written.get(index)?.full ?? []);
}

function rootOf(level: number, tile: string): string {
  const hashes = tile.match(/.{64}/g) ?? [];
  const { peaks } = hashes.reduce(level === 0 ? addEntry : addLeaf, EMPTY_TREE);
  return peaks[0] as string;
}
