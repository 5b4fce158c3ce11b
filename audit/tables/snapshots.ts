import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { ClientBase } from 'pg';
import { inTransaction } from '../../event-log/postgres.js';
import type { Auditor } from '../replay/auditor.js';
import type { Seat } from '../rules/matrix.js';

/** A stored state, from which a node starts instead of the first event. */
export interface StoredSnapshot {
  revision: number;
  chain: string;
  /** Hashes of the tree's perfect subtrees, largest first, one after another, hex. */
  tree: string;
  /** SHA-256 of each chunk, one after another. */
  digests: Buffer;
  chunks: Buffer[];
}

export const readSnapshots = (database: ClientBase): Promise<StoredSnapshot[]> =>
  inTransaction(database, () => readAll(database), 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');

async function readAll(database: ClientBase): Promise<StoredSnapshot[]> {
  const { rows } = await database.query<Omit<StoredSnapshot, 'revision'> & { id: string; revision: string }>(
    'SELECT id, revision, chain, tree, digests FROM ledger.snapshots ORDER BY revision',
  );
  const snapshots: StoredSnapshot[] = [];
  for (const { id, revision, ...row } of rows) {
    const { rows: chunks } = await database.query<{ bytes: Buffer }>(
      'SELECT bytes FROM ledger.snapshot_chunks WHERE snapshot_id = $1 ORDER BY number',
      [id],
    );
    snapshots.push({ ...row, revision: Number(revision), chunks: chunks.map(({ bytes }) => bytes) });
  }
  return snapshots;
}

/** One wrong event can make every balance wrong. */
const MAX_FAULTS = 10;

/** The faults of the snapshots that were taken right after the auditor's last event, which had this chain. */
export function snapshotFaults(snapshots: readonly StoredSnapshot[], auditor: Auditor): string[] {
  return snapshots
    .filter(({ revision }) => revision === auditor.revision)
    .flatMap((snapshot) => faultsOf(snapshot, auditor))
    .map((fault) => `has a snapshot after it that ${fault}`);
}

function faultsOf({ chain, tree, chunks, digests }: StoredSnapshot, auditor: Auditor): string[] {
  if (chain !== auditor.chain) return ['is of another log'];
  if (tree !== auditor.tree.edge) return ['has another tree than the log'];
  const sums = chunks.map((chunk) => hash('sha256', chunk, 'buffer'));
  if (!Buffer.concat(sums).equals(digests)) return ['was altered'];
  try {
    return [...new Set(differences(chunks, auditor))].slice(0, MAX_FAULTS);
  } catch (error) {
    return [`cannot be read: ${(error as Error).message}`];
  }
}

/** The memory of commands is left out: the events themselves show whether a command had a second effect. */
const COMMANDS = '{"name":"commands"';
const UNKNOWN = 'which this auditor does not know: it is of another release, or forged';

/** Compares each part. Throws when a chunk is no part of a state. */
function* differences(chunks: readonly Buffer[], auditor: Auditor): Iterable<string> {
  const collections = expectedCollections(auditor);
  const seen = new Map(Object.keys(collections).map((name) => [name, new Set<string>()]));
  let fieldParts = 0;
  for (const chunk of chunks) {
    const text = gunzipSync(chunk).toString('utf8');
    if (text.startsWith(COMMANDS)) continue;
    const { name, entries, fields, ...more } = JSON.parse(text);
    const collection = collections[name];
    if (Object.keys(more).length > 0) yield `has ${Object.keys(more)} in a part, ${UNKNOWN}`;
    if (name === 'fields') {
      fieldParts += 1;
      yield* fieldDifferences(fields, expectedFields(auditor));
    } else if (collection === undefined) yield `has ${name}, ${UNKNOWN}`;
    else
      for (const entry of entries) {
        const [key, value] = 'get' in collection ? entry : [entry, true];
        const expected = 'get' in collection ? collection.get(key) : collection.has(key);
        // The state keeps empty accounts.
        if (!isDeepStrictEqual(value, expected ?? (name === 'balances' ? 0 : undefined)))
          yield `differs from the log in ${name}: ${key}`;
        // An entry may come twice: nodes copy a state that changes meanwhile.
        if (value !== 0) seen.get(name)?.add(key);
      }
  }
  if (fieldParts !== 1) yield `has ${fieldParts} parts with its fields`;
  for (const [name, keys] of seen)
    if (keys.size < (collections[name]?.size ?? 0)) yield `lacks ${name} that are in the log`;
}

function* fieldDifferences(fields: Record<string, unknown>, expected: Record<string, unknown>): Iterable<string> {
  for (const name of Object.keys(fields)) if (!(name in expected)) yield `has ${name}, ${UNKNOWN}`;
  for (const [name, value] of Object.entries(expected)) {
    if (!isDeepStrictEqual(fields[name], value)) yield `differs from the log in ${name}`;
  }
}

/** Everything in the nodes' state that is neither a collection nor the memory of commands, by its name. */
function expectedFields(auditor: Auditor): Record<string, unknown> {
  const { accounts, entitlements, rounds, playLimits, board, at } = auditor;
  const { phase, timers, endsAtMs } = rounds;
  const isIdle = phase === 'idle';
  return {
    adminId: entitlements.adminId,
    game: {
      phase,
      roundId: isIdle ? null : rounds.lastRoundId,
      lastRoundId: rounds.lastRoundId,
      endsAtEpochMs: isIdle ? null : endsAtMs,
      jackpotCents: accounts.of('jackpot'),
      timers,
      terms: entitlements.terms,
      plan: rounds.plan,
      ...board.fields,
    },
    profile: playLimits.profile,
    losses: auditor.losses,
    arePayoutsHeld: auditor.withdrawals.areHeld,
    settledPayouts: auditor.withdrawals.settledPayouts,
    at,
  };
}

/** The collections of the nodes' state, by their names. */
function expectedCollections(auditor: Auditor): Record<string, ReadonlyMap<string, unknown> | ReadonlySet<string>> {
  const { accounts, entitlements, deposits, exclusions, playLimits, settled, withdrawals } = auditor;
  const { matrix, staff, powers } = entitlements;
  return {
    balances: new Map<string, number>(accounts.nonZero()),
    gamers: new Map([...matrix.seats].map(([gamerId, seat]) => [gamerId, placeOf(seat, matrix.width)])),
    staff,
    powers,
    payments: deposits.payments,
    deposits: deposits.pending,
    withdrawals: withdrawals.open,
    settled: settled.outcomes,
    exclusions: exclusions.newest,
    limited: playLimits.limited,
    usage: playLimits.usage(),
  };
}

function placeOf({ sponsorId, parent, slot, children, distance, depositorUntilMs }: Seat, width: number): object {
  return {
    sponsorId,
    parentId: parent?.gamerId ?? null,
    slot: parent === null ? null : slot,
    children: Array.from({ length: width }, (_, index) => children[index]?.gamerId ?? null),
    openDepth: distance,
    depositorUntilEpochMs: depositorUntilMs,
  };
}
