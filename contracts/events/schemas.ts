import { type Words, words } from '../words.js';
import type { EventMetadata } from './metadata.js';
import type { OurEvent } from './recorded.js';

const PERIODS = ['day', 'week', 'month'];
/** Fields that hold an object, or a list of objects (`LISTS`), with the fields in it. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  timers: ['pregameDurationSeconds', 'liveDurationSeconds', 'downtimeDurationSeconds', 'tokenExtensionSeconds'],
  terms: words('tokenPriceCents jackpotShareCents houseShareCents levelShareCents directBonusCents matrixWidth'),
  allocations: ['gamerId', 'level', 'direct', 'cents'],
  moved: ['gamerId', 'parentId', 'slot'],
  winner: ['gamerId', 'purchaseId'],
  limits: ['spending', 'deposits', 'loss'],
  higher: ['limits', 'confirmableFromMs'],
  used: ['spending', 'deposits', 'won'],
  spending: PERIODS,
  deposits: PERIODS,
  loss: PERIODS,
  won: PERIODS,
};
const LISTS = new Set(['allocations', 'moved', 'powers', 'levelShareCents']);
const BOOLEANS = new Set(['forced', 'direct', 'isStaff', 'mustChooseLimits']);
/** Whole numbers. A field that is neither here nor above is a text. */
const NUMBER = /(Cents|Seconds|Ms|Count|Size|Width|^cents|^day|^week|^month|^level|^slot|^quantity|^roundId)$/;
const NULLABLE = new Set(
  (
    'sponsorId parentId slot winner adminNotes txid depositorUntilMs reassignmentReason higher level day week month ' +
    'valueCents parentPaymentId paidAmount GameReset.roundId PaymentOpened.roundId PaymentOpened.quantity DepositorStatusSet.untilMs ' +
    'DepositRecorded.gamerId PaymentSettled.depositId PaymentSettled.purchaseId PayoutsReleased.reason'
  ).split(' '),
);

/** Optional fields: only an invoice has a payment, and only a planned start was planned for a time. */
export const OPTIONAL: ReadonlySet<string> = new Set(['TokenPurchased.paymentId', 'GameStarted.plannedAtMs']);

type Check = (value: unknown) => boolean;

/** The check of a field's values. It depends on the field's name, which means the same in every event. */
function checkOf(type: string, field: string): Check {
  const isNullable = NULLABLE.has(field) || NULLABLE.has(`${type}.${field}`);
  const isOne = partsOf(type, field) ?? plainCheck(field);
  const isValid: Check = LISTS.has(field) ? (value) => Array.isArray(value) && value.every(isOne) : isOne;
  return (value) => (value === null ? isNullable : isValid(value));
}

function partsOf(type: string, field: string): Check | undefined {
  const checks = PARTS[field]?.map((part): [string, Check] => [part, checkOf(type, part)]);
  if (checks === undefined) return undefined;
  return (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length === checks.length &&
    checks.every(([part, isValid]) => isValid((value as Record<string, unknown>)[part]));
}

function plainCheck(field: string): Check {
  if (BOOLEANS.has(field)) return (value) => typeof value === 'boolean';
  if (NUMBER.test(field)) return Number.isSafeInteger;
  // Postgres holds no zero character.
  return (value) => typeof value === 'string' && !value.includes('\0');
}

type FieldVersions = { [E in OurEvent as E['type']]: { [F in keyof Required<E['data']>]: number } };

/** Fields of the first version of an event. */
const first = <Names extends string>(names: Names) =>
  Object.fromEntries(words(names).map((name) => [name, 1])) as Record<Words<Names>, 1>;

const timers = first('pregameDurationSeconds liveDurationSeconds downtimeDurationSeconds tokenExtensionSeconds');
const deposit = first('depositId paymentId purpose gamerId amountCents feeCents cryptoType');
const payout = first('withdrawalId amountCents cryptoType walletAddress');
const settlement = first('withdrawalId amountCents adminNotes txid');
const ticketUpdate = first('ticketId adminNotes');

/**
 * Every field of every event, and the event version that added it. Events are written in their newest version, and stay as
 * they were written, because the chain hashes them. A field of a later version is therefore optional in its type, and the
 * code that folds the event gives its absence a meaning (an upcast). docs/changing.md lists the steps for a new field.
 */
export const FIELD_VERSIONS: FieldVersions = {
  GamerEnrolled: first('gamerId sponsorId parentId slot'),
  GamerRemoved: first('gamerId moved forfeitedPurchaseCents forfeitedWinningsCents'),
  GameStarted: first('roundId pregameEndsAtMs timers carriedCents terms decidingMs plannedAtMs'),
  GameScheduled: first('startsAtMs localTime timeZone repeat'),
  ScheduleCancelled: first('startsAtMs'),
  LiveStarted: first('roundId endsAtEpochMs forced'),
  LiveResumed: first('roundId outageSeconds endsAtEpochMs lastAliveAtMs'),
  TokenPurchased: {
    ...first('purchaseId roundId buyerId quantity costCents source paymentId jackpotShareCents houseShareCents'),
    ...first('allocations unclaimedCents jackpotCents purchaseBalanceCents receivedAtEpochMs'),
  },
  TimeExtended: first('roundId purchaseId buyerId addedSeconds endsAtEpochMs'),
  RoundEnded: first('roundId winner jackpotCents endedAtMs nextRoundAtMs purchaseCount'),
  GameReset: first('roundId carriedCents reason purchaseCount'),
  TimersChanged: timers,
  DepositorStatusSet: first('gamerId untilMs'),
  StaffStatusSet: first('gamerId isStaff'),
  PowersSet: first('gamerId powers'),
  WinningsTransferred: first('gamerId amountCents purchaseBalanceCents'),
  BalanceAdjusted: first('gamerId purchaseCents winningsCents reason purchaseBalanceCents winningsBalanceCents'),
  DepositRecorded: { ...deposit, ...first('reason') },
  DepositApproved: { ...deposit, ...first('depositorUntilMs purchaseBalanceCents reassignmentReason') },
  DepositRejected: first('depositId paymentId adminNotes'),
  InvoiceCredited: first('paymentId gamerId quantity amountCents cryptoType purchaseBalanceCents'),
  WithdrawalRequested: { ...payout, ...first('gamerId') },
  WithdrawalProcessing: first('withdrawalId gamerId adminNotes'),
  PayoutOrdered: first('withdrawalId gamerId batchId payoutId amount'),
  PayoutFailed: first('withdrawalId gamerId payoutId outcome paidAmount txid'),
  WithdrawalCompleted: { ...settlement, ...first('gamerId') },
  WithdrawalReturned: { ...settlement, ...first('gamerId') },
  ProfitWithdrawalRequested: payout,
  ProfitWithdrawalCompleted: settlement,
  ProfitWithdrawalReturned: settlement,
  LimitsSet: first('gamerId limits higher used'),
  ProtectionProfileSet: first('profile limits mustChooseLimits'),
  LimitsConfirmed: first('gamerId limits'),
  GamerExcluded: first('gamerId kind untilMs'),
  ExclusionLifted: first('gamerId playsFromMs'),
  BalanceReleased: first('gamerId amountCents purchaseBalanceCents'),
  HistoryLost: first('signedOrigin signedSize signedRoot lastKeptAtMs acceptedBy reason'),
  PayoutSettled: first('payoutId adminNotes'),
  PayoutsReleased: first('paymentCount payoutCount reason'),
  GamerRegistered: first('gamerId gamerTag email refCode sponsorId role'),
  AdminLoggedIn: first('gamerId'),
  GamerRenamed: first('gamerId gamerTag gamerTagBefore'),
  EmailChanged: first('gamerId email emailBefore'),
  PasswordChanged: first('gamerId by'),
  RoleChanged: first('gamerId role roleBefore'),
  WalletSaved: first('gamerId cryptoType walletAddress'),
  PaymentOpened: {
    ...first('orderId purpose gamerId amountCents feeCents cryptoType quantity roundId invoiceId paymentId'),
    ...first('paymentUrl payAddress payAmount'),
  },
  CallbackReceived: first('orderId body'),
  PaymentReported: {
    ...first('orderId paymentId parentPaymentId status gatewayStatus payCurrency payAmount actuallyPaid'),
    ...first('valueCents reportedBy'),
  },
  PaymentSettled: first('orderId paymentId outcome depositId purchaseId'),
  PaymentParked: first('orderId paymentId depositId reason'),
  PaymentExpired: first('orderId status'),
  TicketOpened: first('ticketId gamerId subject message'),
  TicketClosed: ticketUpdate,
  TicketReopened: ticketUpdate,
  TicketNoted: ticketUpdate,
  TicketContinued: first('ticketId message'),
  PostPublished: first('postId gamerId message'),
  PostHidden: first('postId reason'),
  PurchaseCameLate: first('roundId gamerId quantity receivedAtEpochMs endedAtMs ledgerSize'),
};

/** An event that this version of the program must not interpret, because a newer version or another program wrote it. */
export class UnreadableEvent extends Error {}

const unreadable = (what: string) =>
  new UnreadableEvent(`${what}: a newer version of this program wrote it; upgrade this node`);

/** The versions of events by the versions of their fields: an event's version is its newest field's. */
export function schemasOf<Type extends string>(fieldVersions: Record<Type, Record<string, number>>) {
  const versions = new Map(
    Object.entries<Record<string, number>>(fieldVersions).map(([type, versionsOfFields]) => {
      const fields = new Map(
        Object.entries(versionsOfFields).map(([field, version]) => {
          const isOptional = OPTIONAL.has(`${type}.${field}`);
          return [field, { version, isOptional, isValid: checkOf(type, field) }];
        }),
      );
      return [type, { newest: Math.max(...Object.values(versionsOfFields)), fields }];
    }),
  );
  return {
    /** The version in which this type of event is written now. */
    schemaOf: (type: Type): number => versions.get(type)!.newest,

    /** The newest version of each type of event that this program reads. */
    readableVersions: (): Record<string, number> =>
      Object.fromEntries([...versions].map(([type, { newest }]) => [type, newest])),

    /**
     * Throws UnreadableEvent, and names what it found: for an unknown type, version or field, because ignoring it would make
     * the folded state wrong; for a field that is absent or holds what no version of this program writes.
     */
    assertReadable(type: string, data: object, { schema }: Pick<EventMetadata, 'schema'>): void {
      const known = versions.get(type);
      if (known === undefined) throw unreadable(`unknown event type ${type}`);
      if (!(schema >= 1 && schema <= known.newest)) {
        throw unreadable(`${type} of version ${schema}, and this program knows versions 1 to ${known.newest}`);
      }
      const values = data as Record<string, unknown>;
      for (const field of Object.keys(data)) {
        const isKnown = (known.fields.get(field)?.version ?? Number.POSITIVE_INFINITY) <= schema;
        if (!isKnown) throw unreadable(`${type} of version ${schema} with the unknown field ${field}`);
      }
      for (const [field, { version, isOptional, isValid }] of known.fields) {
        const value = values[field];
        const mayLack = isOptional || version > schema;
        if (value === undefined ? !mayLack : !isValid(value))
          throw new UnreadableEvent(`${type} without a valid field ${field}: no version of this program wrote it`);
      }
    },
  };
}

export const { schemaOf, readableVersions, assertReadable } = schemasOf(FIELD_VERSIONS);
