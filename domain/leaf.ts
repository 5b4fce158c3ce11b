import type { TokenPurchased } from '../contracts/events/ledger-events.js';

/** A purchase in its round's Merkle tree: what the buyer knows from the receipt is enough to prove it against the root. */
export const leafOf = ({ purchaseId, buyerId, quantity }: TokenPurchased['data'], at: number): string =>
  `${purchaseId} ${buyerId} ${quantity} ${at}`;
