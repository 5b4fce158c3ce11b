import { CRYPTO_TYPES } from '../../contracts/crypto.js';
import type { LedgerEvent, LedgerEventType } from '../../contracts/events/ledger-events.js';
import type { LedgerMetadata } from '../../contracts/events/metadata.js';
import { words } from '../../contracts/words.js';

type Check = (value: unknown) => boolean;

/** A field's check, and the event version that added it. */
type Field = readonly [check: Check, since: number];

const signed: Check = (value) => Number.isSafeInteger(value);
const whole: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const text: Check = (value) => typeof value === 'string';
const id: Check = (value) => typeof value === 'string' && value !== '';
const flag: Check = (value) => typeof value === 'boolean';
const hex: Check = (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const orAbsent =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const oneOf =
  (...values: unknown[]): Check =>
  (value) =>
    values.includes(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const membersOf = (members: Record<string, Check>): Check => {
  const checks = Object.entries(members);
  return (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length === checks.length &&
    checks.every(([name, check]) => check((value as Record<string, unknown>)[name]));
};

/** Fields of one kind. */
const each = (check: Check, names: string): Record<string, Check> =>
  Object.fromEntries(words(names).map((name) => [name, check]));

const coin = oneOf(...CRYPTO_TYPES);
const timers = each(whole, 'pregameDurationSeconds liveDurationSeconds downtimeDurationSeconds tokenExtensionSeconds');
const terms = membersOf({
  ...each(whole, 'tokenPriceCents jackpotShareCents houseShareCents directBonusCents matrixWidth'),
  levelShareCents: listOf(whole),
});
const allocation = membersOf({ gamerId: id, level: orNull(whole), direct: flag, cents: whole });
const deposit = {
  depositId: id,
  paymentId: id,
  purpose: oneOf('deposit', 'tokens'),
  amountCents: whole,
  feeCents: whole,
  cryptoType: coin,
};
const reason = oneOf(
  ...['underpaid', 'overpaid', 'wrong-coin', 'repeated', 'late', 'failed', 'unknown-order', 'no-gamer', 'over-limit'],
);
const payout = { withdrawalId: id, amountCents: whole, cryptoType: coin, walletAddress: id };
const ofPeriods = membersOf({ day: orNull(whole), week: orNull(whole), month: orNull(whole) });
const cents = membersOf({ day: whole, week: whole, month: whole });
const limits = membersOf({ spending: ofPeriods, deposits: ofPeriods, loss: ofPeriods });
const settlement = { withdrawalId: id, amountCents: whole, adminNotes: orNull(text), txid: orNull(text) };

/** Every field of every event, by docs/for-auditors.md. A pair holds the version that added the field; else it is 1. */
const FIELDS: Record<LedgerEventType, Record<string, Check | Field>> = {
  GamerEnrolled: { gamerId: id, sponsorId: orNull(id), parentId: orNull(id), slot: orNull(whole) },
  GamerRemoved: {
    gamerId: id,
    moved: listOf(membersOf({ gamerId: id, parentId: id, slot: whole })),
    forfeitedPurchaseCents: whole,
    forfeitedWinningsCents: whole,
  },
  GameStarted: {
    ...each(whole, 'roundId pregameEndsAtEpochMs carriedCents decidingMs'),
    timers: membersOf(timers),
    terms,
  },
  LiveStarted: { roundId: whole, endsAtEpochMs: whole, forced: flag },
  LiveResumed: { roundId: whole, outageSeconds: whole, endsAtEpochMs: whole, lastAliveAtEpochMs: whole },
  TokenPurchased: {
    ...each(id, 'purchaseId buyerId'),
    ...each(whole, 'roundId quantity costCents jackpotShareCents houseShareCents unclaimedCents jackpotCents'),
    ...each(whole, 'purchaseBalanceCents receivedAtEpochMs'),
    source: oneOf('balance', 'invoice'),
    paymentId: orAbsent(id),
    allocations: listOf(allocation),
  },
  TimeExtended: { roundId: whole, purchaseId: id, buyerId: id, addedSeconds: whole, endsAtEpochMs: whole },
  RoundEnded: {
    ...each(whole, 'roundId jackpotCents endedAtEpochMs nextRoundAtEpochMs purchaseCount'),
    winner: orNull(membersOf({ gamerId: id, purchaseId: id })),
  },
  GameReset: { roundId: orNull(whole), carriedCents: whole, reason: text, purchaseCount: whole },
  TimersChanged: timers,
  DepositorStatusSet: { gamerId: id, untilEpochMs: orNull(whole) },
  StaffStatusSet: { gamerId: id, isStaff: flag },
  PowersSet: { gamerId: id, powers: listOf(oneOf('money', 'game', 'support', 'community')) },
  WinningsTransferred: { gamerId: id, amountCents: whole, purchaseBalanceCents: whole },
  BalanceAdjusted: {
    gamerId: id,
    ...each(signed, 'purchaseCents winningsCents'),
    ...each(whole, 'purchaseBalanceCents winningsBalanceCents'),
    reason: text,
  },
  DepositRecorded: { ...deposit, gamerId: orNull(id), reason },
  DepositApproved: {
    ...deposit,
    gamerId: id,
    depositorUntilEpochMs: orNull(whole),
    purchaseBalanceCents: whole,
    reassignmentReason: orNull(text),
  },
  DepositRejected: { depositId: id, paymentId: id, adminNotes: orNull(text) },
  InvoiceCredited: {
    ...each(id, 'paymentId gamerId'),
    ...each(whole, 'quantity amountCents purchaseBalanceCents'),
    cryptoType: coin,
  },
  WithdrawalRequested: { ...payout, gamerId: id },
  WithdrawalProcessing: { withdrawalId: id, gamerId: id, adminNotes: orNull(text) },
  WithdrawalCompleted: { ...settlement, gamerId: id },
  WithdrawalReturned: { ...settlement, gamerId: id },
  ProfitWithdrawalRequested: payout,
  ProfitWithdrawalCompleted: settlement,
  ProfitWithdrawalReturned: settlement,
  LimitsSet: {
    gamerId: id,
    limits,
    wanted: orNull(membersOf({ limits, confirmableFromEpochMs: whole })),
    used: membersOf({ spending: cents, deposits: cents, won: cents }),
  },
  ProtectionProfileSet: { profile: oneOf('none', 'standard', 'strict'), limits, mustChooseLimits: flag },
  LimitsConfirmed: { gamerId: id, limits },
  GamerExcluded: { gamerId: id, kind: oneOf('time-out', 'self-exclusion'), untilEpochMs: whole },
  ExclusionLifted: { gamerId: id, playsFromEpochMs: whole },
  HistoryLost: {
    ...each(id, 'signedOrigin acceptedBy reason'),
    ...each(whole, 'signedSize lastKeptAtEpochMs'),
    signedRoot: hex,
  },
  PayoutSettled: { payoutId: id, adminNotes: id },
  PayoutsReleased: { paymentCount: whole, payoutCount: whole, reason: orNull(id) },
  BalanceReleased: { gamerId: id, amountCents: whole, purchaseBalanceCents: whole },
};

interface Shape {
  newest: number;
  fields: [name: string, check: Check, since: number][];
}

const SHAPES = new Map<string, Shape>(
  Object.entries(FIELDS).map(([type, members]) => {
    const fields = Object.entries(members).map(([name, one]): Shape['fields'][number] =>
      typeof one === 'function' ? [name, one, 1] : [name, ...one],
    );
    return [type, { newest: Math.max(...fields.map(([, , since]) => since)), fields }];
  }),
);

/** Faults of an event's type, version, fields and metadata. An event with one must not be read any further. */
export function schemaFaults({ type, data }: LedgerEvent, metadata: LedgerMetadata): string[] {
  const shape = SHAPES.get(type);
  if (shape === undefined) return ['is of a type that this auditor does not know'];
  const { schema } = metadata;
  if (!(Number.isInteger(schema) && schema >= 1 && schema <= shape.newest))
    return [`is of the unknown version ${schema}`];
  const faults: string[] = [];
  let present = 0;
  const members = data as unknown as Record<string, unknown>;
  for (const [name, check, since] of shape.fields) {
    const value = members[name];
    if (value !== undefined) present += 1;
    if (since > schema ? value !== undefined : !check(value))
      faults.push(`has ${JSON.stringify(value)} as ${name}, which version ${schema} does not allow`);
  }
  if (faults.length === 0 && Object.keys(members).length > present)
    faults.push(`of version ${schema} has a field that it must not have`);
  if (!isMetadata(metadata)) faults.push('has metadata that no event may have');
  return faults;
}

const ROLES = new Set(['gamer', 'admin', 'auditor', 'operator', 'system']);
const METADATA_MEMBERS = 6;
const MAX_COMMAND_ID_LENGTH = 256;

/** True for the members of metadata that every event has, each of its form, and no others. */
export function isMetadata(metadata: LedgerMetadata): boolean {
  const { commandId, commandHash, actor, at, chain } = metadata;
  return (
    Object.keys(metadata).length === METADATA_MEMBERS &&
    id(commandId) &&
    commandId.length <= MAX_COMMAND_ID_LENGTH &&
    hex(commandHash) &&
    hex(chain) &&
    whole(at) &&
    id(actor?.id) &&
    ROLES.has(actor.role)
  );
}

/** The fields of every type of event, each with the version that added it. */
export const fieldVersions = (): Record<string, Record<string, number>> =>
  Object.fromEntries(
    [...SHAPES].map(([type, { fields }]) => [type, Object.fromEntries(fields.map(([name, , since]) => [name, since]))]),
  );
