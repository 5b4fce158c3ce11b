import { CRYPTO_TYPES } from '../../contracts/crypto.js';
import type { LedgerEvent } from '../../contracts/events/ledger-events.js';
import type { LedgerMetadata } from '../../contracts/events/metadata.js';
import { assertReadable, UnreadableEvent } from '../../contracts/events/schemas.js';
import { LEDGER_EVENT_TYPES } from '../../contracts/http/audit.js';
import { words } from '../../contracts/words.js';

/* Every reader of the log refuses events that it does not know. The auditor also doubts the values, each by its field's name. */

const HASH = /^[0-9a-f]{64}$/;
const MAY_BE_NEGATIVE = new Set<string>(words('BalanceAdjusted.purchaseCents BalanceAdjusted.winningsCents'));
/** Texts that a person may leave empty, except where `NEVER_EMPTY` names the event. */
const MAY_BE_EMPTY = new Set<string>(words('reason adminNotes txid reassignmentReason'));
const NEVER_EMPTY = new Set<string>(words('HistoryLost.reason PayoutSettled.adminNotes PayoutsReleased.reason'));
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  cryptoType: CRYPTO_TYPES,
  purpose: ['deposit', 'tokens'],
  source: ['balance', 'invoice'],
  powers: ['money', 'game', 'support', 'community'],
  profile: ['none', 'standard', 'strict'],
  kind: ['time-out', 'self-exclusion'],
  repeat: ['once', 'daily'],
  outcome: ['failed', 'rejected', 'uncertain'],
};
const REVIEW_REASONS: readonly string[] = words(
  'underpaid overpaid wrong-coin repeated late failed unknown-order no-gamer over-limit',
);

/** Faults of an event's type, version, fields and metadata. An event with one must not be read any further. */
export function schemaFaults({ type, data }: LedgerEvent, metadata: LedgerMetadata): string[] {
  if (!LEDGER_EVENT_TYPES.includes(type)) return ['is of a type that this auditor does not know'];
  try {
    assertReadable(type, data, metadata);
  } catch (error) {
    if (!(error instanceof UnreadableEvent)) throw error;
    return [`cannot be read: ${error.message}`];
  }
  const faults: string[] = [];
  checkValues(type, data, faults);
  if (!isMetadata(metadata)) faults.push('has metadata that no event may have');
  return faults;
}

/** Checks values, also inside lists and objects; the values of a list have its name. */
function checkValues(type: string, members: object, faults: string[], list?: string): void {
  for (const member in members) {
    const name = list ?? member;
    const value = (members as Record<string, unknown>)[member];
    if (typeof value === 'object' && value !== null)
      checkValues(type, value, faults, Array.isArray(value) ? name : undefined);
    else if (!isAllowed(type, name, value)) faults.push(`has ${JSON.stringify(value)} as ${name}`);
  }
}

function isAllowed(type: string, name: string, value: unknown): boolean {
  if (typeof value === 'number') return value >= 0 || MAY_BE_NEGATIVE.has(`${type}.${name}`);
  if (typeof value !== 'string') return true;
  if (value === '') return MAY_BE_EMPTY.has(name) && !NEVER_EMPTY.has(`${type}.${name}`);
  if (name === 'signedRoot') return HASH.test(value);
  const choices = type === 'DepositRecorded' && name === 'reason' ? REVIEW_REASONS : CHOICES[name];
  return choices === undefined || choices.includes(value);
}

const ROLES = new Set(['gamer', 'admin', 'auditor', 'operator', 'system']);
const METADATA_MEMBERS = 6;
const MAX_COMMAND_ID_LENGTH = 256;

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** True for the members of metadata that every event has, each of its form, and no others. */
export function isMetadata(metadata: LedgerMetadata): boolean {
  const { commandId, commandHash, actor, at: atMs, chain, schema } = metadata;
  return (
    Object.keys(metadata).length === METADATA_MEMBERS &&
    isText(commandId) &&
    commandId.length <= MAX_COMMAND_ID_LENGTH &&
    HASH.test(commandHash) &&
    HASH.test(chain) &&
    [atMs, schema].every((number) => Number.isSafeInteger(number) && number >= 0) &&
    isText(actor?.id) &&
    ROLES.has(actor.role)
  );
}
