import { type Words, words } from '../words.js';
import type { EventMetadata } from './metadata.js';
import type { OurEvent } from './recorded.js';
import { checkOf, OPTIONAL } from './shapes.js';

type FieldVersions = { [E in OurEvent as E['type']]: { [F in keyof Required<E['data']>]: number } };

/** Fields of the first version of an event. */
const first = <Names extends string>(names: Names) =>
  Object.fromEntries(words(names).map((name) => [name, 1])) as Record<Words<Names>, 1>;

const timers = first('pregameDurationSeconds liveDurationSeconds downtimeDurationSeconds tokenExtensionSeconds');
const deposit = { depositId: 1, paymentId: 1, purpose: 1, gamerId: 1, amountCents: 1, feeCents: 1, cryptoType: 1 };
const payout = { withdrawalId: 1, amountCents: 1, cryptoType: 1, walletAddress: 1 };
const settlement = { withdrawalId: 1, amountCents: 1, adminNotes: 1, txid: 1 };
const ticketUpdate = { ticketId: 1, adminNotes: 1 };

/**
 * Every field of every event, and the event version that added it. Events are written in their newest version, and stay as
 * they were written, because the chain hashes them. A field of a later version is therefore optional in its type, and the
 * code that folds the event gives its absence a meaning (an upcast). docs/changing.md lists the steps for a new field.
 */
export const FIELD_VERSIONS: FieldVersions = {
  GamerEnrolled: { gamerId: 1, sponsorId: 1, parentId: 1, slot: 1 },
  GamerRemoved: { gamerId: 1, moved: 1, forfeitedPurchaseCents: 1, forfeitedWinningsCents: 1 },
  GameStarted: { roundId: 1, pregameEndsAtEpochMs: 1, timers: 1, carriedCents: 1, terms: 1, decidingMs: 1 },
  LiveStarted: { roundId: 1, endsAtEpochMs: 1, forced: 1 },
  LiveResumed: { roundId: 1, outageSeconds: 1, endsAtEpochMs: 1, lastAliveAtEpochMs: 1 },
  TokenPurchased: {
    ...first('purchaseId roundId buyerId quantity costCents source paymentId jackpotShareCents houseShareCents'),
    ...first('allocations unclaimedCents jackpotCents purchaseBalanceCents receivedAtEpochMs'),
  },
  TimeExtended: { roundId: 1, purchaseId: 1, buyerId: 1, addedSeconds: 1, endsAtEpochMs: 1 },
  RoundEnded: first('roundId winner jackpotCents endedAtEpochMs nextRoundAtEpochMs purchaseCount'),
  GameReset: { roundId: 1, carriedCents: 1, reason: 1, purchaseCount: 1 },
  TimersChanged: timers,
  DepositorStatusSet: { gamerId: 1, untilEpochMs: 1 },
  StaffStatusSet: { gamerId: 1, isStaff: 1 },
  PowersSet: { gamerId: 1, powers: 1 },
  WinningsTransferred: { gamerId: 1, amountCents: 1, purchaseBalanceCents: 1 },
  BalanceAdjusted: first('gamerId purchaseCents winningsCents reason purchaseBalanceCents winningsBalanceCents'),
  DepositRecorded: { ...deposit, reason: 1 },
  DepositApproved: { ...deposit, depositorUntilEpochMs: 1, purchaseBalanceCents: 1, reassignmentReason: 1 },
  DepositRejected: { depositId: 1, paymentId: 1, adminNotes: 1 },
  InvoiceCredited: { paymentId: 1, gamerId: 1, quantity: 1, amountCents: 1, cryptoType: 1, purchaseBalanceCents: 1 },
  WithdrawalRequested: { ...payout, gamerId: 1 },
  WithdrawalProcessing: { withdrawalId: 1, gamerId: 1, adminNotes: 1 },
  WithdrawalCompleted: { ...settlement, gamerId: 1 },
  WithdrawalReturned: { ...settlement, gamerId: 1 },
  ProfitWithdrawalRequested: payout,
  ProfitWithdrawalCompleted: settlement,
  ProfitWithdrawalReturned: settlement,
  LimitsSet: { gamerId: 1, limits: 1, wanted: 1, used: 1 },
  ProtectionProfileSet: { profile: 1, limits: 1, mustChooseLimits: 1 },
  LimitsConfirmed: { gamerId: 1, limits: 1 },
  GamerExcluded: { gamerId: 1, kind: 1, untilEpochMs: 1 },
  ExclusionLifted: { gamerId: 1, playsFromEpochMs: 1 },
  BalanceReleased: { gamerId: 1, amountCents: 1, purchaseBalanceCents: 1 },
  HistoryLost: { signedOrigin: 1, signedSize: 1, signedRoot: 1, lastKeptAtEpochMs: 1, acceptedBy: 1, reason: 1 },
  PayoutSettled: { payoutId: 1, adminNotes: 1 },
  PayoutsReleased: { paymentCount: 1, payoutCount: 1, reason: 1 },
  GamerRegistered: { gamerId: 1, gamerTag: 1, email: 1, refCode: 1, sponsorId: 1, role: 1 },
  AdminSignedIn: { gamerId: 1 },
  GamerRenamed: { gamerId: 1, gamerTag: 1, gamerTagBefore: 1 },
  EmailChanged: { gamerId: 1, email: 1, emailBefore: 1 },
  PasswordChanged: { gamerId: 1, by: 1 },
  RoleChanged: { gamerId: 1, role: 1, roleBefore: 1 },
  WalletSaved: { gamerId: 1, cryptoType: 1, walletAddress: 1 },
  PaymentOpened: {
    ...first('orderId purpose gamerId amountCents feeCents cryptoType quantity roundId invoiceId paymentId'),
    ...first('paymentUrl payAddress payAmount'),
  },
  CallbackReceived: { orderId: 1, body: 1 },
  PaymentSeen: {
    ...first('orderId paymentId parentPaymentId status gatewayStatus payCurrency payAmount actuallyPaid'),
    ...first('valueCents seenBy'),
  },
  PaymentSettled: { orderId: 1, paymentId: 1, outcome: 1, depositId: 1, purchaseId: 1 },
  PaymentParked: { orderId: 1, paymentId: 1, depositId: 1, reason: 1 },
  PaymentExpired: { orderId: 1, status: 1 },
  TicketOpened: { ticketId: 1, gamerId: 1, subject: 1, message: 1 },
  TicketClosed: ticketUpdate,
  TicketReopened: ticketUpdate,
  TicketNoted: ticketUpdate,
  PostPublished: { postId: 1, gamerId: 1, message: 1 },
  PostHidden: { postId: 1, reason: 1 },
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
