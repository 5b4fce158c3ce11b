import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { parseSignedHead, type SignedHead } from '../../../../contracts/transparency/signed-head.js';
import type { Note, SignatureLine } from '../../../../contracts/transparency/signed-note.js';
import { concat, HASH_BYTES, type ReadTile, readOnce, type Tile } from '../../../../contracts/transparency/tree.js';
import { lockInTransaction, transactionOn } from '../../../../event-log/postgres.js';

export const TILE_VIEWS = ['log-tiles'];
const MAX_HEADS = 1_000;
/** A node that froze while it signs stops no other node for longer. */
const BEGIN = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '10s'; SET LOCAL lock_timeout = '5s'";

/**
 * The ledger as a log of c2sp.org/tlog-tiles, whose tiles come from a read model (receipts-tiles.view.ts). A head is in the table
 * `ledger.signed_heads` before anyone sees it, so that no node signs another history after a restart.
 */
@Injectable()
export class TransparencyLogStore {
  constructor(private readonly pool: Pool) {}

  newest(): Promise<SignedHead | null> {
    return headOf(this.pool, 'ORDER BY size DESC LIMIT 1');
  }

  newestWitnessed(): Promise<SignedHead | null> {
    return headOf(this.pool, 'WHERE is_witnessed ORDER BY size DESC LIMIT 1');
  }

  /** The newest witnessed head of more than `index` events, else the newest head of so many. */
  covering(index: number): Promise<SignedHead | null> {
    return headOf(this.pool, 'WHERE size > $1 ORDER BY is_witnessed DESC, size DESC LIMIT 1', [index]);
  }

  /** The newest head, and when the first after the newest witnessed one was signed; null when the newest is witnessed. */
  async unwitnessed(): Promise<{ newest: SignedHead; since: Date } | null> {
    const { rows } = await this.pool.query<{ note: string; since: Date }>(
      `SELECT note, min(signed_at) OVER () AS since FROM ledger.signed_heads
       WHERE size > coalesce((SELECT max(size) FROM ledger.signed_heads WHERE is_witnessed), -1)
       ORDER BY size DESC LIMIT 1`,
    );
    return rows[0] ? { newest: parseSignedHead(rows[0].note), since: rows[0].since } : null;
  }

  /** Adds the note that `sign` returns, if any. Only one node at a time signs; `last` is the newest head. */
  async add(sign: (last: SignedHead | null) => Promise<string | null>, isWitnessed: boolean) {
    const addNote = async (client: PoolClient) => {
      await lockInTransaction(client, 'signed heads');
      const note = await sign(await headOf(client, 'ORDER BY size DESC LIMIT 1'));
      if (note === null) return null;
      const head = parseSignedHead(note);
      await client.query(
        `INSERT INTO ledger.signed_heads (size, note, is_witnessed) VALUES ($1, $2, $3)
         ON CONFLICT (size) DO UPDATE SET note = excluded.note, is_witnessed = excluded.is_witnessed, signed_at = now()`,
        [head.size, note, isWitnessed],
      );
      // Deletes heads of former log names: the new head covers their events, and the current keys do not sign them.
      await client.query(
        `DELETE FROM ledger.signed_heads WHERE NOT starts_with(note, $1)
           OR size < (SELECT size FROM ledger.signed_heads ORDER BY size DESC OFFSET ${MAX_HEADS} LIMIT 1)
           AND size <> (SELECT coalesce(max(size), -1) FROM ledger.signed_heads WHERE is_witnessed)`,
        [`${head.origin}\n`],
      );
      return head;
    };
    return transactionOn(this.pool, addNote, BEGIN);
  }

  /** Adds cosignatures of the head by keys that it has none of. */
  async addCosignatures(
    { size, text }: SignedHead,
    lines: readonly SignatureLine[],
    isWitnessed: (note: Note) => Promise<boolean>,
  ): Promise<void> {
    const addLines = async (client: PoolClient) => {
      const stored = await headOf(client, 'WHERE size = $1 FOR UPDATE', [size]);
      // Signed again meanwhile, under another name.
      if (stored?.text !== text) return;
      const has = ({ name, keyId }: SignatureLine) =>
        stored.signatures.some((line) => line.name === name && line.keyId === keyId);
      const added = lines.filter((line) => !has(line));
      const note = stored.note + added.map((line) => line.text).join('');
      const witnessed = await isWitnessed({ text, signatures: [...stored.signatures, ...added] });
      const update = 'UPDATE ledger.signed_heads SET note = $2, is_witnessed = $3 WHERE size = $1';
      await client.query(update, [size, note, witnessed]);
    };
    await transactionOn(this.pool, addLines, BEGIN);
  }

  /** The tile as it is served: hashes, or entries, each after its length in two bytes. Shorter than requested while the table is behind. */
  async tile({ level, index, width }: Tile): Promise<Buffer> {
    const hashes = await stored(this.pool, { level: level === 'entries' ? 0 : level, index, width });
    if (level === 'entries') return Buffer.concat(hashesIn(hashes).flatMap((entry) => [ENTRY_LENGTH, entry]));
    return level === 0 ? leavesOf(hashes) : hashes;
  }

  /** Hashes that the table lacks are missing at the end of a tile. */
  tileReader(): ReadTile {
    return readOnce(async (tile) => {
      const hashes = await stored(this.pool, tile);
      return concat([tile.level === 0 ? leavesOf(hashes) : hashes]);
    });
  }
}

async function headOf(db: Pick<Pool, 'query'>, which: string, parameters?: unknown[]): Promise<SignedHead | null> {
  const { rows } = await db.query<{ note: string }>(`SELECT note FROM ledger.signed_heads ${which}`, parameters);
  return rows[0] ? parseSignedHead(rows[0].note) : null;
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
