import type { Allocation, LedgerEvent, TokenPurchased } from '../contracts/events/ledger-events.js';
import type { GamerId, GatewayPaymentId } from '../contracts/ids.js';
import { purchaseAccount } from '../contracts/ledger-accounts.js';
import {
  DIRECT_BONUS_CENTS,
  HOUSE_SHARE_CENTS,
  JACKPOT_SHARE_CENTS,
  LEVEL_SHARE_CENTS,
  MAX_TOKENS_PER_PURCHASE,
  TOKEN_PRICE_CENTS,
} from '../contracts/limits.js';
import type { Refusal } from '../contracts/messages.js';
import type { Game } from './game.js';
import { accept, type CommandContext, type Decision, type LedgerCommand, refuse } from './ledger-commands.js';
import { balanceOf, isActiveDepositor, type LedgerState } from './ledger-state.js';
import { placeOf, uplinesOf } from './matrix.js';

/*
 * Buying tokens.
 *
 * A token costs 30 cents and is bought only while the game is live, strictly before the countdown's end (decision 16).
 * Its 30 cents: 13 to the jackpot, 2 to the house, 2 to each of the seven uplines, 1 more to the direct sponsor.
 * A sponsor deeper than seven levels up gets the 1 cent, with no level. An upline or sponsor that is missing, the house,
 * or not an active depositor at this moment is not paid: its cents go to the house's unclaimed account, and nobody
 * else moves up. Who was paid what is frozen in the event. Each token adds the round's extension to the countdown.
 * The house buys nothing (decision 25).
 */
export function buyTokens(
  state: LedgerState,
  command: Extract<LedgerCommand, { type: 'BuyTokens' }>,
  { at, freshId }: CommandContext,
): Decision {
  const { buyerId, quantity } = command;
  if (!Number.isSafeInteger(quantity) || quantity < 1) return refuse({ code: 'invalid-quantity' });
  if (quantity > MAX_TOKENS_PER_PURCHASE) return refuse({ code: 'too-many-tokens' });
  if (buyerId === state.houseId) return refuse({ code: 'admin-cannot-buy' });
  if (!state.gamers.has(buyerId)) return refuse({ code: 'gamer-not-found' });
  const { game } = state;
  const closed = whyClosed(game, at);
  if (closed) return refuse(closed);
  const costCents = quantity * TOKEN_PRICE_CENTS;
  const haveCents = balanceOf(state, purchaseAccount(buyerId));
  if (costCents > haveCents) {
    return refuse({ code: 'insufficient-balance', parameters: { needCents: costCents, haveCents } });
  }
  return accept(...boughtBy(state, { purchaseId: freshId, buyerId, quantity }, at));
}

/** Whether a token can be bought at `at`. */
export const isOpenFor = (game: Game, at: number): boolean => whyClosed(game, at) === null;

/** A purchase's two events. Without a `paymentId` it is paid from the balance. */
export function boughtBy(state: LedgerState, bought: Bought, at: number): LedgerEvent[] {
  return [
    { type: 'TokenPurchased', data: purchase(state, bought, at) },
    { type: 'TimeExtended', data: extension(state.game, bought) },
  ];
}

/** Why no token can be bought now, in the specification's words; null when one can. */
export function whyClosed(game: Game, at: number): Refusal | null {
  switch (game.phase) {
    case 'idle':
      return { code: 'game-idle' };
    case 'pregame':
      return { code: 'game-pregame' };
    case 'downtime':
      return { code: 'game-downtime' };
    case 'live':
      return at < endOf(game) ? null : { code: 'game-downtime' };
  }
}

interface Bought {
  purchaseId: string;
  buyerId: GamerId;
  quantity: number;
  paymentId?: GatewayPaymentId;
}

function purchase(state: LedgerState, bought: Bought, at: number): TokenPurchased['data'] {
  const { purchaseId, buyerId, quantity, paymentId } = bought;
  const costCents = quantity * TOKEN_PRICE_CENTS;
  const jackpotShareCents = quantity * JACKPOT_SHARE_CENTS;
  const houseShareCents = quantity * HOUSE_SHARE_CENTS;
  const allocations = allocationsOf(state, buyerId, quantity, at);
  const paidCents = allocations.reduce((sum, { cents }) => sum + cents, 0);
  return {
    purchaseId,
    roundId: openRound(state.game),
    buyerId,
    quantity,
    costCents,
    ...(paymentId === undefined ? { source: 'balance' } : { source: 'invoice', paymentId }),
    jackpotShareCents,
    houseShareCents,
    allocations,
    unclaimedCents: costCents - jackpotShareCents - houseShareCents - paidCents,
    jackpotCents: state.game.jackpotCents + jackpotShareCents,
    purchaseBalanceCents: balanceOf(state, purchaseAccount(buyerId)) - (paymentId === undefined ? costCents : 0),
  };
}

function allocationsOf(state: LedgerState, buyerId: GamerId, quantity: number, at: number): Allocation[] {
  const { sponsorId } = placeOf(state, buyerId);
  const uplines = uplinesOf(state, buyerId);
  const allocations: Allocation[] = [];
  uplines.forEach((gamerId, index) => {
    if (!isActiveDepositor(state, gamerId, at)) return;
    const direct = gamerId === sponsorId;
    const cents = quantity * (LEVEL_SHARE_CENTS + (direct ? DIRECT_BONUS_CENTS : 0));
    allocations.push({ gamerId, level: (index + 1) as Allocation['level'], direct, cents });
  });
  if (sponsorId !== null && !uplines.includes(sponsorId) && isActiveDepositor(state, sponsorId, at)) {
    allocations.push({ gamerId: sponsorId, level: null, direct: true, cents: quantity * DIRECT_BONUS_CENTS });
  }
  return allocations;
}

function extension(game: Game, { purchaseId, buyerId, quantity }: Bought) {
  const addedSeconds = quantity * game.roundExtensionSeconds;
  return {
    roundId: openRound(game),
    purchaseId,
    buyerId,
    addedSeconds,
    endsAtEpochMs: endOf(game) + addedSeconds * 1000,
  };
}

export function openRound(game: Game): number {
  if (game.roundId === null) throw new Error(`no round is open in phase ${game.phase}`);
  return game.roundId;
}

export function endOf(game: Game): number {
  if (game.endsAtEpochMs === null) throw new Error(`phase ${game.phase} has no end`);
  return game.endsAtEpochMs;
}
