import type { Allocation, LedgerEvent, LedgerEvents } from '../contracts/events/ledger-events.js';
import type { GamerId } from '../contracts/ids.js';
import { purchaseAccount } from '../contracts/ledger-accounts.js';
import { DECIDED_WITHIN_MS, type RoundTerms } from '../contracts/limits.js';
import type { Refusal } from '../contracts/refusals.js';
import { quantityRefusal } from '../contracts/validation.js';
import { endOf, type Game, openRound, roundTerms } from './game.js';
import { accept, type Decider, refuse } from './ledger/ledger-commands.js';
import { balanceOf, earnsMatrixCents, exclusionOf, type LedgerState } from './ledger/ledger-state.js';
import { placeOf, uplinesOf } from './matrix.js';
import { exceededLimit, mustChooseLimits } from './protection-limits.js';

/*
 * A purchase counts by its arrival, and not by the time of its decision, so a busy or slow node costs nobody a purchase (decisions 16,
 * 41). One that arrives after zero while the round is still live is refused with `round-being-decided`; the ledger holds it and decides
 * it again when an earlier arrival has extended the countdown, an outage is found, or the round has ended. Price and split are the
 * round's terms (decisions 1 to 3, 43). Who may not buy, and who is not paid: decisions 7, 25, 47 and 55.
 */
export const buyTokens: Decider<'BuyTokens'> = (state, { buyerId, quantity }, { atMs, receivedAtMs, freshId }) => {
  const code = quantityRefusal(quantity);
  if (code) return refuse({ code });
  if (buyerId === state.adminId) return refuse({ code: 'admin-cannot-buy' });
  const refusal = playRefusal(state, buyerId, atMs);
  if (refusal) return refuse(refusal);
  if (atMs - receivedAtMs > DECIDED_WITHIN_MS) return refuse({ code: 'unavailable' });
  const { game } = state;
  const closed = closedRefusal(game, receivedAtMs);
  // In a live round this is not final: an earlier arrival may still extend the countdown.
  if (closed) return refuse(game.phase === 'live' ? { code: 'round-being-decided' } : closed);
  const costCents = quantity * roundTerms(game).tokenPriceCents;
  const limit = exceededLimit(state, 'tokens', buyerId, costCents, atMs);
  if (limit) return refuse({ code: 'limit-reached', parameters: limit });
  const haveCents = balanceOf(state, purchaseAccount(buyerId));
  if (costCents > haveCents) {
    return refuse({ code: 'insufficient-balance', parameters: { needCents: costCents, haveCents } });
  }
  const purchase = { purchaseId: freshId, buyerId, quantity, paymentId: null, receivedAtMs };
  return accept(...purchaseEvents(state, purchase, atMs));
};

/** Why a gamer may not deposit or buy; null when they may. */
export function playRefusal(state: LedgerState, gamerId: GamerId, atMs: number): Refusal | null {
  if (state.staff.has(gamerId)) return { code: 'staff-cannot-play' };
  if (!state.gamers.has(gamerId)) return { code: 'gamer-not-found' };
  const exclusion = exclusionOf(state, gamerId, atMs);
  if (exclusion) return { code: 'gamer-excluded', parameters: exclusion };
  return mustChooseLimits(state, gamerId) ? { code: 'limits-required' } : null;
}

/** The two events of a purchase. When `paymentId` is null, the purchase balance pays. */
export function purchaseEvents(state: LedgerState, purchase: NewPurchase, atMs: number): LedgerEvent[] {
  return [tokenPurchasedEvent(state, purchase, atMs), timeExtendedEvent(state.game, purchase)];
}

/** The refusal of a purchase that arrived at this time; null when it is in time. */
export function closedRefusal(game: Game, receivedAtMs: number): Refusal | null {
  switch (game.phase) {
    case 'idle':
      return { code: 'game-idle' };
    case 'pregame':
      return { code: 'game-pregame' };
    case 'downtime': {
      const { roundId, endedAtMs } = game.lastResult!;
      return { code: 'game-downtime', late: { roundId, receivedAtEpochMs: receivedAtMs, endedAtMs } };
    }
    case 'live':
      return receivedAtMs < endOf(game) ? null : { code: 'game-downtime' };
  }
}

type NewPurchase = Pick<LedgerEvents['TokenPurchased'], 'purchaseId' | 'buyerId' | 'quantity' | 'paymentId'> & {
  receivedAtMs: number;
};

function tokenPurchasedEvent(state: LedgerState, purchase: NewPurchase, atMs: number): LedgerEvent {
  const { purchaseId, buyerId, quantity, receivedAtMs, paymentId } = purchase;
  const terms = roundTerms(state.game);
  const costCents = quantity * terms.tokenPriceCents;
  const jackpotShareCents = quantity * terms.jackpotShareCents;
  const houseShareCents = quantity * terms.houseShareCents;
  const allocations = allocationsOf(state, terms, buyerId, quantity, atMs);
  const allocatedCents = allocations.reduce((sum, { cents }) => sum + cents, 0);
  return {
    type: 'TokenPurchased',
    data: {
      purchaseId,
      roundId: openRound(state.game),
      buyerId,
      quantity,
      costCents,
      source: paymentId === null ? 'balance' : 'invoice',
      paymentId,
      jackpotShareCents,
      houseShareCents,
      allocations,
      unclaimedCents: costCents - jackpotShareCents - houseShareCents - allocatedCents,
      jackpotCents: state.game.jackpotCents + jackpotShareCents,
      purchaseBalanceCents: balanceOf(state, purchaseAccount(buyerId)) - (paymentId === null ? costCents : 0),
      receivedAtEpochMs: receivedAtMs,
    },
  };
}

function allocationsOf(
  state: LedgerState,
  { levelShareCents, directBonusCents }: RoundTerms,
  buyerId: GamerId,
  quantity: number,
  atMs: number,
): Allocation[] {
  const { sponsorId } = placeOf(state, buyerId);
  const uplines = uplinesOf(state, buyerId, levelShareCents.length);
  const allocations: Allocation[] = [];
  uplines.forEach((gamerId, index) => {
    if (!earnsMatrixCents(state, gamerId, atMs)) return;
    const direct = gamerId === sponsorId;
    const cents = quantity * ((levelShareCents[index] ?? 0) + (direct ? directBonusCents : 0));
    allocations.push({ gamerId, level: (index + 1) as Allocation['level'], direct, cents });
  });
  if (sponsorId !== null && !uplines.includes(sponsorId) && earnsMatrixCents(state, sponsorId, atMs))
    allocations.push({ gamerId: sponsorId, level: null, direct: true, cents: quantity * directBonusCents });
  return allocations;
}

function timeExtendedEvent(game: Game, { purchaseId, buyerId, quantity }: NewPurchase): LedgerEvent {
  const addedSeconds = quantity * game.roundExtensionSeconds;
  const endsAtEpochMs = endOf(game) + addedSeconds * 1000;
  return { type: 'TimeExtended', data: { roundId: openRound(game), purchaseId, buyerId, addedSeconds, endsAtEpochMs } };
}
