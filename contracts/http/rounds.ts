import type { GamerId, NamedGamer, PurchaseId, RoundId } from '../ids.js';
import type { GamePurchase } from './game.js';

export interface Winner {
  roundId: RoundId;
  winnerId: GamerId;
  winnerGamerTag: string;
  jackpotCents: number;
  endedAt: number;
}

/** GET /api/winners: newest endedAt first, at most 20 a page. */
export type WinnersResponse = { winners: Winner[] };

/** A purchase of a round that may be over. */
export interface RoundPurchase extends GamePurchase {
  /** Number of the purchase in the ledger. */
  number: number;
  /** The countdown's milliseconds left when the purchase arrived. */
  leftMs: number;
}

/** GET /api/rounds/{roundId}?page=&pageSize= */
export interface RoundResponse {
  roundId: RoundId;
  /** `unsold`: it ended without a purchase; `reset`: the admin ended it. In both its jackpot is carried to the next round. */
  state: 'open' | 'won' | 'unsold' | 'reset';
  startedAtMs: number;
  /** Null while the round is open. */
  endedAtMs: number | null;
  carriedCents: number;
  /** Paid to the winner, carried to the next round, or so far. */
  jackpotCents: number;
  winner: (NamedGamer & { purchaseId: PurchaseId }) | null;
  resetReason: string | null;
  purchaseCount: number;
  /** Purchases that came after the round's end, of anyone: how many, and how late the ten nearest to zero were. */
  late: { count: number; nearestMs: number[] };
  /** A page of the purchases, newest first. */
  purchases: RoundPurchase[];
}
