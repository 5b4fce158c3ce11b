/** Reads a log over HTTP: c2sp.org/tlog-tiles. */
import { readAtMost, UnreadableResponse } from '../bounded-response.js';
import { type Bytes, HASH_BYTES, type ReadTile, readOnce, TILE_WIDTH, type Tile, tilePath } from './tree.js';

const TIMEOUT_MS = 10_000;
const MAX_NOTE_BYTES = 200_000;

/** The path below which a site of ours serves its log. @param address such as `https://play.example` */
export const logPrefix = (address: string): string => `${address.replace(/\/+$/, '')}/log`;

/** The newest head as a note, not verified. */
export const fetchHead = async (prefix: string): Promise<string> =>
  new TextDecoder().decode(await fetchFrom(prefix, 'checkpoint', MAX_NOTE_BYTES));

/** The bytes of a tile or bundle. A log may drop a partial one for the full one, which begins with it and comes instead. */
export async function fetchTile(prefix: string, tile: Tile, maxBytes: number): Promise<Bytes> {
  try {
    return await fetchFrom(prefix, tilePath(tile), maxBytes);
  } catch (error) {
    if (tile.width === TILE_WIDTH || (error as UnreadableResponse).status !== 404) throw error;
    return await fetchFrom(prefix, tilePath({ ...tile, width: TILE_WIDTH }), maxBytes).catch(() =>
      Promise.reject(error),
    );
  }
}

/** Throws UnreadableResponse. */
export const tileReader = (prefix: string): ReadTile =>
  readOnce(async (tile) => {
    const bytes = await fetchTile(prefix, tile, TILE_WIDTH * HASH_BYTES);
    if (bytes.length !== tile.width * HASH_BYTES && bytes.length !== TILE_WIDTH * HASH_BYTES)
      throw new UnreadableResponse(`${tilePath(tile)} has ${bytes.length} bytes`);
    return bytes.slice(0, tile.width * HASH_BYTES);
  });

async function fetchFrom(prefix: string, path: string, maxBytes: number): Promise<Bytes> {
  try {
    // A browser's cache may hold tiles of a log that the server no longer has.
    const options = { cache: 'no-cache', signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
    const response = await fetch(`${prefix}/${path}`, options);
    if (!response.ok) {
      await response.body?.cancel();
      throw new UnreadableResponse(`${path} was answered with ${response.status}`, response.status);
    }
    return await readAtMost(maxBytes, response, path);
  } catch (error) {
    if (error instanceof UnreadableResponse) throw error;
    const { message, cause } = error as Error;
    throw new UnreadableResponse(`${path} was not answered: ${(cause as Error | undefined)?.message ?? message}`);
  }
}
