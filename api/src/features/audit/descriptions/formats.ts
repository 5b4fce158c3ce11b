import type { LedgerEvents, LedgerEventType } from '../../../../../contracts/events/ledger-events.js';
import type { StatementAccount } from '../../../../../contracts/http/statements.js';
import type { GamerId, Power } from '../../../../../contracts/ids.js';
import { type Posting, winningsAccount } from '../../../../../contracts/ledger-accounts.js';
import { MATRIX_DEPTH, type TimerSettings } from '../../../../../contracts/limits.js';
import { formatCents, formatSignedCents } from '../../../../../contracts/money.js';
import { dayText, inNewYork } from '../../../../../contracts/new-york-texts.js';
import type { NameOf } from '../../gamers/gamers.queries.js';

/** "9:14:07 PM". */
export const timeOfDay = inNewYork({ hour: 'numeric', minute: '2-digit', second: '2-digit' });

/** "Oct 14, 2025, 9:14:07 PM". */
export const dateAndTime = (epochMs: number): string => `${dayText(epochMs)}, ${timeOfDay(epochMs)}`;

export const whole = (value: number): string => value.toLocaleString('en-US');
export const seconds = (value: number): string => `${whole(value)} s`;
const count = (one: string, many: string) => (value: number) => (value === 1 ? `1 ${one}` : `${whole(value)} ${many}`);
export const tokens = count('token', 'tokens');
export const children = count('child', 'children');
const cents = count('cent', 'cents');

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** "wrong-coin" becomes "Wrong coin". */
export const reasonText = (reason: string): string => capitalized(reason.replaceAll('-', ' '));

/** "2 under alice": places are counted from 1. */
export const placeText = (
  { parentId, slot }: { parentId: GamerId | null; slot: number | null },
  nameOf: NameOf,
): string => (parentId === null || slot === null ? 'root' : `${slot + 1} under ${nameOf(parentId)}`);

export const forfeitedCents = (data: { forfeitedPurchaseCents: number; forfeitedWinningsCents: number }): number =>
  data.forfeitedPurchaseCents + data.forfeitedWinningsCents;

/** "purchase balance +$5.00, winnings −$1.00", without a part that stays. */
export function adjustmentText({ purchaseCents, winningsCents }: LedgerEvents['BalanceAdjusted']): string {
  const parts = [
    purchaseCents !== 0 && `purchase balance ${formatSignedCents(purchaseCents)}`,
    winningsCents !== 0 && `winnings ${formatSignedCents(winningsCents)}`,
  ];
  return parts.filter(Boolean).join(', ');
}

const TIMERS: Record<keyof TimerSettings, string> = {
  pregameDurationSeconds: 'pregame',
  liveDurationSeconds: 'live',
  downtimeDurationSeconds: 'downtime',
  tokenExtensionSeconds: 'a token',
};
const TIMER_NAMES = Object.keys(TIMERS) as (keyof TimerSettings)[];

/** "Pregame 60 s, live 120 s, downtime 60 s, a token 30 s". */
export const timersText = (timers: TimerSettings): string =>
  capitalized(TIMER_NAMES.map((name) => `${TIMERS[name]} ${seconds(timers[name])}`).join(', '));

export const depositFields = (data: LedgerEvents['DepositRecorded' | 'DepositApproved']) => ({
  'Meant for': data.purpose === 'tokens' ? 'tokens' : 'the purchase balance',
  Coin: data.cryptoType,
  Deposit: data.depositId,
  Payment: data.paymentId,
});

export function purchaseReason(data: LedgerEvents['TokenPurchased'], account: string): string {
  const { quantity } = data;
  if (account === 'jackpot') return `${cents(data.jackpotShareCents / quantity)} a token`;
  if (account === 'house:profit') return `${cents(data.houseShareCents / quantity)} a token`;
  if (account === 'house:unclaimed') return `unclaimed: ${unclaimedText(data)}`;
  const allocation = data.allocations.find(({ gamerId }) => winningsAccount(gamerId) === account);
  if (!allocation) return `pays for ${tokens(quantity)}${data.source === 'invoice' ? ', by an invoice' : ''}`;
  if (allocation.level === null) return `direct, from deeper than level ${MATRIX_DEPTH}`;
  return `level ${allocation.level}${allocation.direct ? ', and direct' : ''}`;
}

/** "levels 5 and 7, and direct": the shares that no entitled gamer received. */
function unclaimedText({ allocations, quantity, unclaimedCents }: LedgerEvents['TokenPurchased']): string {
  const paid = new Set(allocations.map(({ level }) => level as number | null));
  const unpaid = Array.from({ length: MATRIX_DEPTH }, (_, i) => i + 1).filter((level) => !paid.has(level));
  if (unpaid.length === 0) return `direct, ${cents(unclaimedCents / quantity)} a token`;
  const levels = unpaid.length === 1 ? `level ${unpaid[0]}` : `levels ${runsText(unpaid)}`;
  return allocations.some(({ direct }) => direct) ? levels : `${levels}, and direct`;
}

/** "1, 3 to 5 and 7". */
function runsText(ascending: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const level of ascending) {
    const last = runs.at(-1);
    if (last && level === last[1] + 1) last[1] = level;
    else runs.push([level, level]);
  }
  const parts = runs.flatMap(([from, to]) =>
    to - from > 1 ? [`${from} to ${to}`] : [...new Set([from, to])].map(String),
  );
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

export const powersText = (powers: readonly Power[]): string => (powers.length === 0 ? 'none' : powers.join(' and '));

/** An empty field is left out. */
type Fields = Record<string, string | null | undefined>;

/** `ownTag`: the GamerTag of the event's gamer who did it; null when somebody else did. */
export interface LedgerEventDescription<Data> {
  /** The gamer the event is about; default: its `gamerId`. */
  subject?(data: Data): GamerId | null;
  /** Other gamers whose names the texts use. */
  otherGamers?(data: Data): (GamerId | null)[];
  /** One line for lists and the event's page; leaves out type, gamer and amount, which stand beside it. */
  summary(data: Data, nameOf: NameOf, ownTag: string | null): string;
  /** The details that the summary leaves out, by name. */
  fields?(data: Data, nameOf: NameOf): Fields;
  /** The reason for a posting. Required for every event with postings. */
  postingReasons?(data: Data, posting: Posting): string;
  /** The event's line in an account's statement. Without it the event's type is the text. */
  statement?(data: Data, account: StatementAccount, ownTag: string | null): string;
}

export type LedgerEventDescriptions = { readonly [T in LedgerEventType]: LedgerEventDescription<LedgerEvents[T]> };

export const inCoin = (data: { amountCents: number; cryptoType: string }): string =>
  `${formatCents(data.amountCents)} in ${data.cryptoType}`;
export const balanceField = (data: { purchaseBalanceCents: number }) => ({
  'Purchase balance after it': formatCents(data.purchaseBalanceCents),
});
