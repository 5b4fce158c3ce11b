import type { LedgerEvent } from '../contracts/events/ledger-events.js';
import type { Actor, LedgerMetadata } from '../contracts/events/metadata.js';
import { limitPerDayOf } from '../contracts/events/upcast.js';
import type { GamerId } from '../contracts/ids.js';
import { MAX_ADJUSTMENT_CENTS, SECOND_PERSON_WITHIN_MS } from '../contracts/limits.js';
import type { Cents } from '../contracts/money.js';
import { dayInNewYork } from '../contracts/new-york.js';
import { accept, type CommandContext, type CommandOf, type Decision, refuse } from './ledger-commands.js';
import type { LedgerState, SecondPersonRequest } from './ledger-state.js';
import type { Changes } from './undo-journal.js';

/*
 * The second person (decision 50).
 *
 * An adjustment or a completed payout above a limit takes two persons, where two have the power money and are not the gamer
 * concerned: the admin and an operator, or two operators. So does one with which its person would have moved more alone, in
 * this day of New York's calendar, than a second limit allows: otherwise one person could stay below the first limit many
 * times. The first person's command only records a request. The same command of another person within a day carries it out,
 * if the first person still has the power, and then counts as moved alone by neither. The limits are in the ledger, so
 * everybody can check them.
 */

/** The key of an act, the same for the person who requests it and the one who confirms it. */
export const keyOfRequest = ({ type, data }: SecondPersonRequest['event']): string =>
  type === 'PayoutRequested'
    ? payoutKey(data.withdrawalId)
    : adjustmentKey(data.gamerId, data.purchaseCents, data.winningsCents);

export const payoutKey = (withdrawalId: string): string => `payout ${withdrawalId}`;
export const adjustmentKey = (gamerId: GamerId, purchaseCents: Cents, winningsCents: Cents): string =>
  `adjustment ${gamerId} ${purchaseCents} ${winningsCents}`;

/** The cents that an adjustment counts for: both changes, up or down. */
export const adjustedCents = ({
  purchaseCents,
  winningsCents,
}: {
  purchaseCents: Cents;
  winningsCents: Cents;
}): Cents => Math.abs(purchaseCents) + Math.abs(winningsCents);

/** Null when this person may act alone or confirms a request. Otherwise the decision: a new request, or a refusal. */
export function requestSecondPerson(
  state: LedgerState,
  cents: Cents,
  event: SecondPersonRequest['event'],
  { actor, at }: CommandContext,
): Decision | null {
  if (!isAboveLimit(state, cents, actor, at) || countPersonsWithMoneyPower(state, event.data.gamerId) < 2) return null;
  const request = openRequest(state, keyOfRequest(event), at);
  if (request === null) return accept(event);
  return isSame(request.by, actor) ? refuse({ code: 'second-person-needed' }) : null;
}

function isAboveLimit(state: LedgerState, cents: Cents, actor: Actor, at: number): boolean {
  const { secondPersonAboveCents: perAct, secondPersonAboveCentsPerDay: perDay } = state;
  return (
    (perAct !== null && cents > perAct) || (perDay !== null && movedAloneCents(state, actor.id, at) + cents > perDay)
  );
}

/** The cents that a person has moved alone in the day of this time. */
export function movedAloneCents(
  { movedAlone }: Pick<LedgerState, 'movedAlone'>,
  id: GamerId | 'system',
  at: number,
): Cents {
  const moved = movedAlone.get(id);
  return moved?.day === dayInNewYork(at) ? moved.cents : 0;
}

/** The other person whose open request an act carries out; null for an act that one person does alone. */
export function requesterOf(
  state: LedgerState,
  key: string,
  { actor, at }: Pick<LedgerMetadata, 'actor' | 'at'>,
): GamerId | 'system' | null {
  const request = openRequest(state, key, at);
  return request === null || isSame(request.by, actor) ? null : request.by;
}

function openRequest({ requests }: LedgerState, key: string, at: number): SecondPersonRequest | null {
  const request = requests.get(key);
  return request === undefined || at - request.at > SECOND_PERSON_WITHIN_MS ? null : request;
}

const isSame = (by: string, { id }: Actor): boolean => by === id;

/** The number of persons who may move this gamer's money: the admin and operators, without the gamer. */
export function countPersonsWithMoneyPower({ powers }: Pick<LedgerState, 'powers'>, gamerId: GamerId): number {
  let persons = 1;
  for (const [id, own] of powers) if (id !== gamerId && own.includes('money')) persons += 1;
  return persons;
}

export function setSecondPersonLimit(
  state: LedgerState,
  { aboveCents, aboveCentsPerDay }: CommandOf<'SetSecondPersonLimit'>,
): Decision {
  if (!isLimit(aboveCents) || !isLimit(aboveCentsPerDay)) return refuse({ code: 'invalid-second-person-limit' });
  if (aboveCents === state.secondPersonAboveCents && aboveCentsPerDay === state.secondPersonAboveCentsPerDay)
    return accept();
  return accept({ type: 'SecondPersonLimitSet', data: { aboveCents, aboveCentsPerDay } });
}

const isLimit = (cents: Cents | null): boolean =>
  cents === null || (Number.isSafeInteger(cents) && cents >= 0 && cents <= MAX_ADJUSTMENT_CENTS);

/** Keeps the requests that no act has followed, of persons who still have the power; what each person moved alone; the limits. */
export function foldRequests(
  state: LedgerState,
  event: LedgerEvent,
  metadata: Pick<LedgerMetadata, 'actor' | 'at'>,
  changes: Changes,
): void {
  switch (event.type) {
    case 'AdjustmentRequested':
    case 'PayoutRequested':
      changes.setEntry(state.requests, keyOfRequest(event), { by: metadata.actor.id, at: metadata.at, event });
      break;
    case 'BalanceAdjusted': {
      const { gamerId, purchaseCents, winningsCents } = event.data;
      const key = adjustmentKey(gamerId, purchaseCents, winningsCents);
      foldAct(state, key, adjustedCents(event.data), metadata, changes);
      break;
    }
    case 'WithdrawalCompleted':
      foldAct(state, payoutKey(event.data.withdrawalId), event.data.amountCents, metadata, changes);
      break;
    case 'WithdrawalReturned':
      changes.deleteEntry(state.requests, payoutKey(event.data.withdrawalId));
      break;
    case 'SecondPersonLimitSet': {
      const perDay = limitPerDayOf(event.data, state.secondPersonAboveCentsPerDay);
      changes.setField(state, 'secondPersonAboveCents', event.data.aboveCents);
      changes.setField(state, 'secondPersonAboveCentsPerDay', perDay);
      break;
    }
    case 'PowersSet':
      // The sum stays: powers that are given back on the same day are no new start.
      if (event.data.powers.includes('money')) break;
      for (const [key, { by }] of state.requests)
        if (by === event.data.gamerId) changes.deleteEntry(state.requests, key);
      break;
    case 'GamerRemoved':
      changes.deleteEntry(state.movedAlone, event.data.gamerId);
      for (const [key, request] of state.requests)
        if (request.by === event.data.gamerId || request.event.data.gamerId === event.data.gamerId)
          changes.deleteEntry(state.requests, key);
      break;
  }
}

/**
 * Counts an act for its person, unless it carries out another person's request, and ends the request. Events of versions that
 * do not name the requester count in the same way.
 */
function foldAct(
  state: LedgerState,
  key: string,
  cents: Cents,
  metadata: Pick<LedgerMetadata, 'actor' | 'at'>,
  changes: Changes,
): void {
  const { actor, at } = metadata;
  if (requesterOf(state, key, metadata) === null) {
    const sum = movedAloneCents(state, actor.id, at) + cents;
    changes.setEntry(state.movedAlone, actor.id, { day: dayInNewYork(at), cents: sum });
  }
  changes.deleteEntry(state.requests, key);
}
