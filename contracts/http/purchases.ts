import type { GamerId, PurchaseId, RoundId } from '../ids.js';
import type { GamePurchase } from './game.js';

/** GET /api/purchases/recent: the newest purchases, of any round. */
export interface RecentPurchase extends Omit<GamePurchase, 'ts'> {
  roundId: RoundId;
  timestamp: number;
  /** Whole seconds left after the purchase. */
  newCountdown: number;
}

export type RecentPurchasesResponse = { purchases: RecentPurchase[] };

/** GET /api/purchases/late: the gamer's own purchases that came too late, newest first. */
export type LatePurchasesResponse = { signedRefusals: string[] };

/** POST /api/buy-from-balance */
export type BuyFromBalanceRequest = { quantity: number; userId: GamerId };

/** The receipt of a purchase (decision 40). */
export interface PurchaseReceipt {
  success: true;
  message: string;
  purchaseId: PurchaseId;
  roundId: RoundId;
  quantity: number;
  costCents: number;
  purchaseBalanceCents: number;
  receivedAtEpochMs: number;
  endsAtEpochMs: number;
  revision: number;
  /** Id of the purchase's event. Its holder gets the proof of the event: GET /api/ledger/events/{revision}/proof. */
  eventId: string;
  /** Chain hash of the purchase's event, which no other history of the ledger can have. */
  chain: string;
}
