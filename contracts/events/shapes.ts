import { words } from '../words.js';

const PERIODS = ['day', 'week', 'month'];
/** Fields that hold an object, or a list of objects (`LISTS`), with the fields in it. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  timers: ['pregameDurationSeconds', 'liveDurationSeconds', 'downtimeDurationSeconds', 'tokenExtensionSeconds'],
  terms: words('tokenPriceCents jackpotShareCents houseShareCents levelShareCents directBonusCents matrixWidth'),
  allocations: ['gamerId', 'level', 'direct', 'cents'],
  moved: ['gamerId', 'parentId', 'slot'],
  winner: ['gamerId', 'purchaseId'],
  limits: ['spending', 'deposits', 'loss'],
  wanted: ['limits', 'confirmableFromEpochMs'],
  used: ['spending', 'deposits', 'won'],
  spending: PERIODS,
  deposits: PERIODS,
  loss: PERIODS,
  won: PERIODS,
};
const LISTS = new Set(['allocations', 'moved', 'powers', 'levelShareCents']);
const BOOLEANS = new Set(['forced', 'direct', 'isStaff', 'mustChooseLimits']);
/** Whole numbers; what is neither here nor above is a text. */
const NUMBER = /(Cents|Seconds|Ms|Count|Size|Width|^cents|^day|^week|^month|^level|^slot|^quantity|^roundId)$/;
const NULLABLE = new Set(
  (
    'sponsorId parentId slot winner adminNotes txid depositorUntilEpochMs reassignmentReason wanted level day week month ' +
    'valueCents parentPaymentId GameReset.roundId PaymentOpened.roundId PaymentOpened.quantity DepositorStatusSet.untilEpochMs ' +
    'DepositRecorded.gamerId PaymentSettled.depositId PaymentSettled.purchaseId PayoutsReleased.reason'
  ).split(' '),
);

/** Only an invoice has a payment, and only a planned start was planned for a time. */
export const OPTIONAL: ReadonlySet<string> = new Set(['TokenPurchased.paymentId', 'GameStarted.plannedAtEpochMs']);

type Check = (value: unknown) => boolean;

/** Returns whether a value is what this field of this type of event holds. A field's name says what it holds, in every event. */
export function checkOf(type: string, field: string): Check {
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
