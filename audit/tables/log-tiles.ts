import { hash } from 'node:crypto';
import type { ClientBase } from 'pg';
import { differentKeys } from './different-keys.js';

/** SHA-256 of the content of each tile, by "level/index". */
export type TileDigests = ReadonlyMap<string, string>;

const FULL_HEX_LENGTH = 256 * 64;

/** The tiles that the table must have: chain hashes in level 0, and above it the roots of the full tiles below. */
export class LogTiles {
  private readonly full = new Map<string, string>();
  private readonly levels: { full: number; partial: string }[] = [];

  /** @param one in hex */
  add(level: number, one: string): void {
    this.levels[level] ??= { full: 0, partial: '' };
    const tiles = this.levels[level];
    tiles.partial += one;
    if (tiles.partial.length < FULL_HEX_LENGTH) return;
    this.full.set(`${level}/${tiles.full}`, digestOf(tiles.partial));
    tiles.full += 1;
    tiles.partial = '';
  }

  differencesFrom(stored: TileDigests): string[] {
    const expected = new Map(this.full);
    for (const [level, { full, partial }] of this.levels.entries())
      if (partial !== '') expected.set(`${level}/${full}`, digestOf(partial));
    return differentKeys(expected, stored).map(
      (tile) => `log-tiles: tile ${tile} ${stored.has(tile) ? 'is not that of the log' : 'is missing'}`,
    );
  }
}

const digestOf = (hex: string): string => hash('sha256', Buffer.from(hex, 'hex'));

export async function readTileDigests(database: ClientBase): Promise<TileDigests> {
  const { rows } = await database.query<{ tile: string; digest: string }>(
    "SELECT level || '/' || index AS tile, encode(sha256(hashes), 'hex') AS digest FROM read.log_tiles",
  );
  return new Map(rows.map(({ tile, digest }) => [tile, digest]));
}
