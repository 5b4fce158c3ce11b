import { CommandMemory, type Generation } from './command-memory.js';
import type { LedgerState } from './ledger-state.js';

/** Raised with every change of LedgerState: older snapshots are then ignored and the log is replayed. */
export const SNAPSHOT_FORMAT = 5;

/** Entries per part: about a millisecond of work. */
const SLICE = 2_000;

/**
 * The state as JSON, in parts. The call takes shallow copies; because records are never edited, commands that are decided
 * between the parts do not change the text.
 */
export function snapshotText(state: LedgerState): Iterable<string> {
  const { adminId, game, at } = state;
  const purchaseTree = {
    size: state.purchaseTree.size,
    peaks: state.purchaseTree.peaks.map(({ size, hash }) => ({ size, hash: hash.toString('hex') })),
  };
  const collections = {
    gamers: [...state.gamers],
    balances: [...state.balances],
    payments: [...state.payments],
    deposits: [...state.deposits],
    withdrawals: [...state.withdrawals],
    settled: [...state.settled],
    commands: state.commands.copy().map(withTableAsText),
  };
  return partsOf({ adminId, game, at, purchaseTree }, collections);
}

function* partsOf(fields: object, collections: Record<string, unknown[]>): Iterable<string> {
  yield `{"fields":${JSON.stringify(fields)}`;
  for (const [name, entries] of Object.entries(collections)) {
    yield `,"${name}":[`;
    for (let from = 0; from < entries.length; from += SLICE) {
      yield (from > 0 ? ',' : '') + JSON.stringify(entries.slice(from, from + SLICE)).slice(1, -1);
    }
    yield ']';
  }
  yield '}';
}

/** The state of a snapshot's text. */
export function stateOfSnapshot(text: string): LedgerState {
  const { fields, ...collections } = JSON.parse(text);
  const peaks = fields.purchaseTree.peaks.map((peak: { size: number; hash: string }) => ({
    size: peak.size,
    hash: Buffer.from(peak.hash, 'hex'),
  }));
  return {
    ...fields,
    purchaseTree: { size: fields.purchaseTree.size, peaks },
    gamers: new Map(collections.gamers),
    balances: new Map(collections.balances),
    payments: new Set(collections.payments),
    deposits: new Map(collections.deposits),
    withdrawals: new Map(collections.withdrawals),
    settled: new Map(collections.settled),
    commands: new CommandMemory(collections.commands.map(withTable)),
  };
}

const withTableAsText = ({ table, ...one }: Generation) => ({
  ...one,
  table: Buffer.from(table.buffer).toString('base64'),
});

function withTable({ table, ...one }: ReturnType<typeof withTableAsText>): Generation {
  const bytes = Buffer.from(table, 'base64');
  // Copied, because a table begins at a multiple of four bytes.
  return { ...one, table: new Uint32Array(new Uint8Array(bytes).buffer) };
}
