import { createHmac, scryptSync, timingSafeEqual } from 'node:crypto';
import type { Pool } from 'pg';

const SALT = 'omni-jackpot verified ledger heads 1';
const KEY_BYTES = 32;

/** The ledger's head: the number of its events, and the chain of the last. */
export interface LedgerHead {
  events: number;
  chain: string;
}

/**
 * The table `ledger.verified_head`: the head of the newest verification without findings, of any node. It is sealed under a
 * key that Postgres does not hold, so a writer to Postgres cannot make it fit another history.
 */
export class VerifiedHeadStore {
  private readonly keys: readonly Buffer[];

  /** @param secrets the one in force first; the others are accepted */
  constructor(
    private readonly pool: Pool,
    secrets: readonly string[],
  ) {
    // A reader of Postgres can test guesses of the secret, so each guess costs time and memory.
    this.keys = secrets.map((secret) => scryptSync(secret, SALT, KEY_BYTES));
  }

  /** The stored head; null before the first verification; `forged` when no node with these secrets sealed it. */
  async read(): Promise<LedgerHead | 'forged' | null> {
    const { rows } = await this.pool.query<{ events: string; chain: string; seal: Buffer }>(
      'SELECT events, chain, seal FROM ledger.verified_head',
    );
    if (rows[0] === undefined) return null;
    const { seal, chain } = rows[0];
    const head = { events: Number(rows[0].events), chain };
    const isGenuine = this.keys.some((key) => {
      const due = sealUnder(key, head);
      return due.length === seal.length && timingSafeEqual(due, seal);
    });
    return isGenuine ? head : 'forged';
  }

  /** Keeps a head, unless another node keeps a later one. */
  async keep(head: LedgerHead): Promise<void> {
    await this.pool.query(
      `INSERT INTO ledger.verified_head VALUES (1, $1, $2, $3) ON CONFLICT (id) DO UPDATE
       SET events = excluded.events, chain = excluded.chain, seal = excluded.seal
       WHERE verified_head.events <= excluded.events`,
      [head.events, head.chain, sealUnder(this.keys[0] as Buffer, head)],
    );
  }
}

const sealUnder = (key: Buffer, { events, chain }: LedgerHead): Buffer =>
  createHmac('sha256', key).update(`omni-jackpot verified head\n${events}\n${chain}\n`).digest();
