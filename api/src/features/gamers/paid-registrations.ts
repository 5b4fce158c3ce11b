import { Injectable, Logger } from '@nestjs/common';
import type { LedgerEvent } from '../../../../contracts/events/ledger-events.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { Ledger } from '../../ledger/ledger.js';
import { AttemptLimits } from './attempt-limits.js';

/** Takes the registration of a gamer who paid off the count of its address: nobody pays for a flood of accounts. */
@Injectable()
export class PaidRegistrations {
  private readonly logger = new Logger('accounts');

  constructor(ledger: Ledger, limits: AttemptLimits) {
    ledger.onCommitted((committed) => {
      for (const { recorded } of committed) {
        const payer = payerOf(recorded.event);
        if (payer === null) continue;
        limits
          .forgiveRegistration(payer)
          .catch((error: Error) => this.logger.warn(`the registration of ${payer} still counts: ${error.message}`));
      }
    });
  }
}

function payerOf({ type, data }: LedgerEvent): GamerId | null {
  if (type === 'DepositApproved' || type === 'InvoiceCredited') return data.gamerId;
  return type === 'TokenPurchased' && data.source === 'invoice' ? data.buyerId : null;
}
