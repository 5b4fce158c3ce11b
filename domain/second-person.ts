import type { LedgerEvent } from '../contracts/events/ledger-events.js';
import type { Actor, LedgerMetadata } from '../contracts/events/metadata.js';
import type { GamerId } from '../contracts/ids.js';
import { MAX_ADJUSTMENT_CENTS, SECOND_PERSON_WITHIN_MS } from '../contracts/limits.js';
import type { Cents } from '../contracts/money.js';
import { accept, type CommandContext, type CommandOf, type Decision, refuse } from './ledger-commands.js';
import type { LedgerState, SecondPersonRequest } from './ledger-state.js';
import type { Changes } from './undo-journal.js';

/*
 * The second person (decision 50).
 *
 * An adjustment or a completed payout above a limit takes two persons, where two have the power money and are not the gamer
 * concerned: the admin and an operator, or two operators. The first person's command only records a request. The same
 * command of another person within a day carries it out, if the first person still has the power. The limit is in the ledger,
 * so everybody can check it.
 */

/** The key of an act, the same for the person who requests it and the one who confirms it. */
export const keyOfRequest = ({ type, data }: SecondPersonRequest['event']): string =>
  type === 'PayoutRequested'
    ? payoutKey(data.withdrawalId)
    : adjustmentKey(data.gamerId, data.purchaseCents, data.winningsCents);

export const payoutKey = (withdrawalId: string): string => `payout ${withdrawalId}`;
export const adjustmentKey = (gamerId: GamerId, purchaseCents: Cents, winningsCents: Cents): string =>
  `adjustment ${gamerId} ${purchaseCents} ${winningsCents}`;

/** Null when this person may act alone or confirms a request. Otherwise the decision: a new request, or a refusal. */
export function requestInstead(
  state: LedgerState,
  cents: Cents,
  event: SecondPersonRequest['event'],
  { actor, at }: CommandContext,
): Decision | null {
  const limit = state.secondPersonAboveCents;
  if (limit === null || cents <= limit || personsFor(state, event.data.gamerId) < 2) return null;
  const request = state.requests.get(keyOfRequest(event));
  if (request === undefined || at - request.at > SECOND_PERSON_WITHIN_MS) return accept(event);
  return isSame(request.by, actor) ? refuse({ code: 'second-person-needed' }) : null;
}

const isSame = (by: string, { id }: Actor): boolean => by === id;

/** The number of persons who may move this gamer's money: the admin and operators, without the gamer. */
export function personsFor({ powers }: Pick<LedgerState, 'powers'>, gamerId: GamerId): number {
  let persons = 1;
  for (const [id, own] of powers) if (id !== gamerId && own.includes('money')) persons += 1;
  return persons;
}

export function setSecondPersonLimit(state: LedgerState, { aboveCents }: CommandOf<'SetSecondPersonLimit'>): Decision {
  const isValid = aboveCents === null || (Number.isSafeInteger(aboveCents) && aboveCents >= 0);
  if (!isValid || (aboveCents ?? 0) > MAX_ADJUSTMENT_CENTS) return refuse({ code: 'invalid-second-person-limit' });
  if (aboveCents === state.secondPersonAboveCents) return accept();
  return accept({ type: 'SecondPersonLimitSet', data: { aboveCents } });
}

/** Keeps the requests that no act has followed, of persons who still have the power, and the limit. */
export function foldRequests(
  state: LedgerState,
  event: LedgerEvent,
  { actor, at }: Pick<LedgerMetadata, 'actor' | 'at'>,
  changes: Changes,
): void {
  switch (event.type) {
    case 'AdjustmentRequested':
    case 'PayoutRequested':
      changes.setEntry(state.requests, keyOfRequest(event), { by: actor.id, at, event });
      break;
    case 'BalanceAdjusted': {
      const { gamerId, purchaseCents, winningsCents } = event.data;
      changes.deleteEntry(state.requests, adjustmentKey(gamerId, purchaseCents, winningsCents));
      break;
    }
    case 'WithdrawalCompleted':
    case 'WithdrawalReturned':
      changes.deleteEntry(state.requests, payoutKey(event.data.withdrawalId));
      break;
    case 'SecondPersonLimitSet':
      changes.setField(state, 'secondPersonAboveCents', event.data.aboveCents);
      break;
    case 'PowersSet':
      if (event.data.powers.includes('money')) break;
      for (const [key, { by }] of state.requests)
        if (by === event.data.gamerId) changes.deleteEntry(state.requests, key);
      break;
    case 'GamerRemoved':
      for (const [key, request] of state.requests)
        if (request.by === event.data.gamerId || request.event.data.gamerId === event.data.gamerId)
          changes.deleteEntry(state.requests, key);
      break;
  }
}
