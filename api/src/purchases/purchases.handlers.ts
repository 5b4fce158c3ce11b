import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../../contracts/events/metadata.js';
import type { PurchaseReceipt } from '../../../contracts/http/game.js';
import { type WithPosition, withPosition } from '../http/position.interceptor.js';
import { type CommandResult, Ledger } from '../ledger/ledger.js';

export class BuyTokens extends Command<WithPosition<PurchaseReceipt>> {
  constructor(
    readonly quantity: number,
    readonly by: { actor: Actor; commandId: string },
  ) {
    super();
  }
}

@CommandHandler(BuyTokens)
export class BuyTokensHandler implements ICommandHandler<BuyTokens> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ quantity, by }: BuyTokens) {
    const result = await this.ledger.execute({ type: 'BuyTokens', buyerId: by.actor.id, quantity }, by);
    return withPosition(result.position, receiptOf(result));
  }
}

/** The receipt of decision 40, from the log's own words: a repeat gets the same one. */
function receiptOf({ events }: CommandResult): PurchaseReceipt {
  const [bought, extended] = events;
  if (bought?.event.type !== 'TokenPurchased' || extended?.event.type !== 'TimeExtended') {
    throw new Error('a purchase is TokenPurchased and TimeExtended');
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
    receivedAtEpochMs: bought.metadata.at,
    endsAtEpochMs: extended.event.data.endsAtEpochMs,
    revision: bought.revision,
  };
}
