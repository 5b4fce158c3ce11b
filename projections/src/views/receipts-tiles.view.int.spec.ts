import type { LedgerMetadata } from '../../../contracts/events/metadata.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import { hexOf } from '../../../contracts/transparency/signed-note.js';
import { type Bytes, HASH_BYTES, leafHash, rootOf, type Tile } from '../../../contracts/transparency/tree.js';
import { addEntry, EMPTY_TREE, rootOf as rootOfEdge } from '../../../domain/ledger/tree.js';
import { RandomGame } from '../testing/scenario.js';
import { contents, TestWorker } from '../testing/worker.js';
import { logTilesView } from './receipts-tiles.view.js';
import { Batch } from './view.js';

const { log } = new RandomGame(39).steps(1_200);
const chains = log
  .filter(({ stream }) => stream === LEDGER_STREAM)
  .map(({ metadata }) => (metadata as LedgerMetadata).chain);

const worker = TestWorker.forTests('all');

async function build(batchSize: number, events = log): Promise<Record<string, string[]>> {
  await worker.db.query(`DROP SCHEMA IF EXISTS read CASCADE; CREATE SCHEMA read; ${logTilesView.ddl}`);
  for (let from = 0; from < events.length; from += batchSize)
    await logTilesView.apply(new Batch(events.slice(from, from + batchSize)), worker.db);
  return contents(worker.db, [logTilesView]);
}

async function readTile({ level, index, width }: Tile): Promise<Bytes> {
  const { rows } = await worker.db.query<{ hashes: Buffer }>(
    'SELECT hashes FROM log_tiles WHERE level = $1 AND index = $2',
    [level, index],
  );
  const hashes = new Uint8Array(rows[0]?.hashes ?? []).slice(0, width * HASH_BYTES);
  if (level !== 0) return hashes;
  const leaves = Array.from({ length: width }, (_, at) =>
    leafHash(hashes.slice(at * HASH_BYTES, (at + 1) * HASH_BYTES)),
  );
  return new Uint8Array(Buffer.concat(await Promise.all(leaves)));
}

it('has the root of every size, and the same rows for every size of batches', async () => {
  const whole = await build(log.length);
  for (const size of [1, 255, 256, 257, 512, 1_000, chains.length]) {
    const root = rootOfEdge(chains.slice(0, size).reduce(addEntry, EMPTY_TREE));
    expect(hexOf(await rootOf(size, readTile))).toBe(root);
  }
  for (const batchSize of [1, 7, 256, 700]) expect(await build(batchSize)).toEqual(whole);
});

it('fills a tile of the level above with 256 roots, and begins the next one', async () => {
  const [first] = log.filter(({ stream }) => stream === LEDGER_STREAM);
  if (first === undefined) throw new Error('the scenario has no ledger event');
  const many = Array.from({ length: 65_536 + 300 }, (_, revision) => ({ ...first, revision }));
  await build(16_000, many);
  const { rows } = await worker.db.query(
    'SELECT level, max(index)::int AS last, sum(octet_length(hashes))::int / 32 AS hashes FROM log_tiles GROUP BY level ORDER BY level',
  );
  expect(rows).toEqual([
    { level: 0, last: 257, hashes: 65_836 },
    { level: 1, last: 1, hashes: 257 },
    { level: 2, last: 0, hashes: 1 },
  ]);
  const root = rootOfEdge(many.map(({ metadata }) => (metadata as LedgerMetadata).chain).reduce(addEntry, EMPTY_TREE));
  expect(hexOf(await rootOf(many.length, readTile))).toBe(root);
});

it('refuses an event that does not follow its tiles', async () => {
  await build(10, log.slice(0, 40));
  const later = log.slice(60);
  await expect(logTilesView.apply(new Batch(later), worker.db)).rejects.toThrow('does not follow');
});
