import { setImmediate as nextTick } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { LedgerState } from '../../../domain/ledger-state.js';

/** Changes with every change of LedgerState: an older snapshot is then ignored and the log replayed. */
export const SNAPSHOT_FORMAT = 2;

const compress = promisify(gzip);
const decompress = promisify(gunzip);
/** Entries turned into text between two turns of the event loop: about a millisecond's worth. */
const SLICE = 2_000;

/**
 * The state as compressed text. Records are never edited, so the shallow copies taken at the call are the state of that
 * moment however much is bought while the text is being made.
 */
export async function packState(state: LedgerState): Promise<Buffer> {
  const { houseId, game, at } = state;
  const purchaseTree = {
    size: state.purchaseTree.size,
    peaks: state.purchaseTree.peaks.map(({ size, hash }) => ({ size, hash: hash.toString('hex') })),
  };
  const maps = {
    gamers: [...state.gamers],
    balances: [...state.balances],
    payments: [...state.payments],
    deposits: [...state.deposits],
    withdrawals: [...state.withdrawals],
    commands: [...state.commands],
  };
  const parts = [`{"fields":${JSON.stringify({ houseId, game, at, purchaseTree })}`];
  for (const [name, entries] of Object.entries(maps)) {
    parts.push(`,"${name}":[`);
    for (let from = 0; from < entries.length; from += SLICE) {
      const slice = entries.slice(from, from + SLICE);
      parts.push(from > 0 ? ',' : '', JSON.stringify(slice).slice(1, -1));
      await nextTick();
    }
    parts.push(']');
  }
  parts.push('}');
  return compress(parts.join(''));
}

export async function unpackState(packed: Buffer): Promise<LedgerState> {
  const { fields, ...maps } = JSON.parse((await decompress(packed)).toString('utf8'));
  const peaks = fields.purchaseTree.peaks.map((peak: { size: number; hash: string }) => ({
    size: peak.size,
    hash: Buffer.from(peak.hash, 'hex'),
  }));
  return {
    ...fields,
    purchaseTree: { size: fields.purchaseTree.size, peaks },
    gamers: new Map(maps.gamers),
    balances: new Map(maps.balances),
    payments: new Map(maps.payments),
    deposits: new Map(maps.deposits),
    withdrawals: new Map(maps.withdrawals),
    commands: new Map(maps.commands),
  };
}
