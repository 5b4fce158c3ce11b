import type { PurchaseReceipt } from '../../../../contracts/http/purchases.js';
import { ledgerCommand } from '../../ledger/ledger-command.js';

/** Responds with the receipt of decision 40, made from the events: a replayed response is the same receipt. */
export const BuyTokens = ledgerCommand('BuyTokens', (_command, { events }): PurchaseReceipt => {
  const [bought, extended] = events;
  if (bought?.event.type !== 'TokenPurchased' || extended?.event.type !== 'TimeExtended') {
    throw new Error('BuyTokens was accepted without TokenPurchased and TimeExtended');
  }
  const { purchaseId, roundId, quantity, costCents, purchaseBalanceCents } = bought.event.data;
  return {
    success: true,
    message: `Purchased ${quantity} Omni Token(s) successfully`,
    purchaseId,
    roundId,
    quantity,
    costCents,
    purchaseBalanceCents,
    receivedAtEpochMs: bought.event.data.receivedAtEpochMs,
    endsAtEpochMs: extended.event.data.endsAtEpochMs,
    revision: bought.revision,
    eventId: bought.id,
    chain: bought.metadata.chain,
  };
});
