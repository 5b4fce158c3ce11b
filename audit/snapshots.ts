import { hash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { ClientBase } from 'pg';
import type { LedgerMetadata } from '../contracts/events/metadata.js';
import type { LedgerAccount } from '../contracts/ledger-accounts.js';
import type { Auditor } from './auditor.js';
import { cents } from './finding.js';

const CHUNKS_PER_READ = 16;

/** A stored state, from which a node starts instead of the first event. */
export interface KeptSnapshot {
  revision: number;
  chain: string;
  /** SHA-256 of each chunk, one after another. */
  digests: Buffer;
  chunks: Buffer[];
}

/** Reads the kept snapshots, oldest first. */
export async function readSnapshots(database: ClientBase): Promise<KeptSnapshot[]> {
  await database.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const { rows } = await database.query<{ id: string; revision: string; chain: string; digests: Buffer }>(
      'SELECT id, revision, chain, digests FROM ledger.snapshots ORDER BY revision',
    );
    const kept: KeptSnapshot[] = [];
    for (const { id, revision, ...row } of rows)
      kept.push({ ...row, revision: Number(revision), chunks: await readChunks(database, id) });
    return kept;
  } finally {
    await database.query('ROLLBACK');
  }
}

async function readChunks(database: ClientBase, id: string): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  for (;;) {
    const { rows } = await database.query<{ bytes: Buffer }>(
      'SELECT bytes FROM ledger.snapshot_chunks WHERE snapshot_id = $1 ORDER BY number LIMIT $2 OFFSET $3',
      [id, CHUNKS_PER_READ, chunks.length],
    );
    chunks.push(...rows.map(({ bytes }) => bytes));
    if (rows.length < CHUNKS_PER_READ) return chunks;
  }
}

/** Compares the nodes' snapshots with the auditor's own accounts, matrix, staff, payments, exclusions, limits and withdrawals. */
export class SnapshotCheck {
  private readonly left: KeptSnapshot[];

  constructor(
    private readonly auditor: Auditor,
    snapshots: readonly KeptSnapshot[],
  ) {
    this.left = [...snapshots];
  }

  /** Returns the faults of the snapshots that were taken right after the event that the auditor took last. */
  take(revision: number, { chain }: LedgerMetadata): string[] {
    const faults: string[] = [];
    while (this.left[0]?.revision === revision) {
      const snapshot = this.left.shift() as KeptSnapshot;
      const found = snapshot.chain === chain ? faultsOfState(snapshot, this.auditor) : ['is of another log'];
      faults.push(...found.map((fault) => `has a snapshot after it that ${fault}`));
    }
    return faults;
  }

  /** Snapshots at revisions that the log does not have. */
  get unmet(): readonly KeptSnapshot[] {
    return this.left;
  }
}

function faultsOfState({ chunks, digests }: KeptSnapshot, auditor: Auditor): string[] {
  const sums = chunks.map((chunk) => hash('sha256', chunk, 'buffer'));
  if (!Buffer.concat(sums).equals(digests)) return ['was altered'];
  try {
    return differences(chunks, auditor);
  } catch (error) {
    return [`cannot be read: ${(error as Error).message}`];
  }
}

/** Throws when a chunk is no part of a state. */
function differences(chunks: readonly Buffer[], auditor: Auditor): string[] {
  const collections = collectionsOf(auditor);
  const faults = new Set<string>();
  for (const chunk of chunks) {
    const { name, entries, fields } = JSON.parse(gunzipSync(chunk).toString('utf8'));
    if (name === 'fields') for (const fault of fieldFaults(fields, auditor)) faults.add(fault);
    for (const entry of entries ?? []) {
      const wrong = collections[name]?.take(entry);
      if (wrong) faults.add(wrong);
    }
  }
  for (const [name, { isWhole }] of Object.entries(collections)) {
    if (!isWhole()) faults.add(`has not all ${name} of the log`);
  }
  return [...faults].slice(0, MAX_FAULTS);
}

/** One wrong event can make every balance wrong. */
const MAX_FAULTS = 10;

interface Fields {
  adminId: string | null;
  at: number;
  game: { jackpotCents: number; lastRoundId: number };
  profile: object;
}

const fieldFaults = ({ adminId, at, game, profile }: Fields, auditor: Auditor): string[] =>
  adminId === auditor.entitlements.adminId &&
  at === auditor.at &&
  game.jackpotCents === auditor.accounts.of('jackpot') &&
  game.lastRoundId === auditor.rounds.lastRoundId &&
  auditor.playLimits.isProfile(profile)
    ? []
    : ['differs from the replayed game or its profile'];

interface Collection {
  /** Returns what is wrong with an entry, or null. */
  take(entry: unknown): string | null;
  /** True when every entry of the log was taken. */
  isWhole(): boolean;
}

/** The collections of a state whose entries the auditor knows. */
function collectionsOf({
  accounts,
  entitlements,
  deposits,
  exclusions,
  playLimits,
  secondPerson,
  withdrawals,
}: Auditor): Record<string, Collection> {
  return {
    balances: collection<[LedgerAccount, number]>(
      accounts.held().length,
      ([account, held]) => (held === 0 ? null : account),
      ([account, held]) => held === accounts.of(account),
      ([account, held]) => `has ${cents(held)} in ${account}, but ${cents(accounts.of(account))} are in the log`,
    ),
    gamers: collection<[string, Place]>(
      entitlements.seatCount,
      ([gamerId]) => gamerId,
      ([gamerId, place]) => isSamePlace(place, entitlements.seatOf(gamerId)),
      ([gamerId]) => `has another place or depositor status of ${gamerId} than the log`,
    ),
    payments: collection<string>(
      deposits.paymentCount,
      (paymentId) => paymentId,
      (paymentId) => deposits.hasPayment(paymentId),
      (paymentId) => `has the payment ${paymentId}, which is not in the log`,
    ),
    deposits: collection<[string, unknown]>(
      deposits.pendingCount,
      ([depositId]) => depositId,
      ([depositId]) => deposits.isPending(depositId),
      ([depositId]) => `has the deposit ${depositId}, which does not wait in the log`,
    ),
    staff: collection<string>(
      entitlements.staffCount,
      (gamerId) => gamerId,
      (gamerId) => entitlements.isStaff(gamerId),
      (gamerId) => `has ${gamerId} as staff, who is none in the log`,
    ),
    powers: collection<[string, string[]]>(
      entitlements.operatorCount,
      ([gamerId]) => gamerId,
      ([gamerId, powers]) => powers.join() === entitlements.powersOf(gamerId).join(),
      ([gamerId]) => `has other powers of ${gamerId} than the log`,
    ),
    requests: collection<[string, { by: string; at: number }]>(
      secondPerson.requestCount,
      ([key]) => key,
      ([key, { by, at }]) => secondPerson.isRequested(key, by, at),
      ([key]) => `has the request ${key}, which is not in the log`,
    ),
    exclusions: collection<[string, { kind: string; untilEpochMs: number }]>(
      exclusions.count,
      ([gamerId]) => gamerId,
      ([gamerId, { kind, untilEpochMs }]) => exclusions.isNewest(gamerId, kind, untilEpochMs),
      ([gamerId]) => `has another exclusion of ${gamerId} than the log`,
    ),
    limited: collection<[string, { limits: object; wanted: { limits: object } | null }]>(
      playLimits.limitedCount,
      ([gamerId]) => gamerId,
      ([gamerId, { limits, wanted }]) => playLimits.areOf(gamerId, limits, wanted?.limits ?? null),
      ([gamerId]) => `has other limits of ${gamerId} than the log`,
    ),
    usage: collection<[string, Record<string, Record<string, number>>]>(
      playLimits.playedCount,
      ([gamerId]) => gamerId,
      ([gamerId, sums]) => playLimits.isPlayed(gamerId, sums),
      ([gamerId]) => `has other sums of what ${gamerId} played for than the log`,
    ),
    paidAddresses: collection<string>(
      withdrawals.paidAddressCount,
      (digest) => digest,
      (digest) => withdrawals.isPaidAddress(digest),
      () => 'has a paid address to which the log has no payment',
    ),
    withdrawals: collection<[string, Withdrawal]>(
      withdrawals.openCount,
      ([withdrawalId]) => withdrawalId,
      ([withdrawalId, { gamerId: owner, amountCents, heldUntilEpochMs: waitsUntil, addressDigest: address }]) =>
        withdrawals.isOpen(withdrawalId, { owner, amountCents, waitsUntil, address }),
      ([withdrawalId]) => `has the withdrawal ${withdrawalId}, which is not open like that in the log`,
    ),
  };
}

/**
 * An entry may come twice: nodes copy a state that changes meanwhile.
 * @param keyOf null for an entry that does not count
 */
function collection<Entry>(
  count: number,
  keyOf: (entry: Entry) => string | null,
  isRight: (entry: Entry) => boolean,
  saysOf: (entry: Entry) => string,
): Collection {
  const taken = new Set<string>();
  return {
    take(entry) {
      const key = keyOf(entry as Entry);
      if (key !== null) taken.add(key);
      return isRight(entry as Entry) ? null : saysOf(entry as Entry);
    },
    isWhole: () => taken.size === count,
  };
}

interface Withdrawal {
  gamerId: string | null;
  amountCents: number;
  heldUntilEpochMs: number | null;
  addressDigest: string | null;
}

interface Place {
  sponsorId: string | null;
  parentId: string | null;
  slot: number | null;
  depositorUntilEpochMs: number | null;
}

function isSamePlace(place: Place, seat: ReturnType<Auditor['entitlements']['seatOf']>): boolean {
  return (
    seat !== undefined &&
    place.sponsorId === seat.sponsorId &&
    place.parentId === (seat.parent?.gamerId ?? null) &&
    place.slot === (seat.parent === null ? null : seat.slot) &&
    place.depositorUntilEpochMs === seat.depositorUntilEpochMs
  );
}
