import type { LedgerEvent } from '../../contracts/events/ledger-events.js';
import type { GamerId } from '../../contracts/ids.js';
import { MAX_ADJUSTMENT_CENTS, MAX_TOKENS_PER_PURCHASE } from '../../contracts/limits.js';
import { cents, faultsOf } from '../replay/finding.js';

/** Checks limits of amounts, and that money only goes to enrolled gamers and never to the admin (decisions 13, 15, 29). */
export function amountFaults({ type, data }: LedgerEvent, isGamer: (gamerId: GamerId) => boolean): string[] {
  switch (type) {
    case 'TokenPurchased':
      return quantityFaults(data.quantity);
    case 'InvoiceCredited':
      return [
        ...ownerFaults(data.gamerId, isGamer),
        ...quantityFaults(data.quantity),
        ...faultsOf([
          [data.amountCents <= 0, `credits ${cents(data.amountCents)}`],
          [data.amountCents % data.quantity !== 0, `credits ${cents(data.amountCents)} for ${data.quantity} tokens`],
        ]),
      ];
    case 'WinningsTransferred':
    case 'BalanceReleased':
      return [
        ...ownerFaults(data.gamerId, isGamer),
        ...faultsOf([[data.amountCents <= 0, `transfers ${cents(data.amountCents)}`]]),
      ];
    case 'BalanceAdjusted': {
      const changes = [data.purchaseCents, data.winningsCents];
      return [
        ...ownerFaults(data.gamerId, isGamer),
        ...faultsOf([
          [changes.every((change) => change === 0), 'adjusts nothing'],
          [changes.some((change) => Math.abs(change) > MAX_ADJUSTMENT_CENTS), 'adjusts by more than a million dollars'],
        ]),
      ];
    }
    case 'DepositApproved':
    case 'DepositorStatusSet':
    case 'StaffStatusSet':
    case 'WithdrawalRequested':
    case 'GamerExcluded':
    case 'LimitsSet':
    case 'LimitsConfirmed':
    case 'ExclusionLifted':
      return ownerFaults(data.gamerId, isGamer);
    default:
      return [];
  }
}

const quantityFaults = (quantity: number): string[] =>
  quantity < 1 || quantity > MAX_TOKENS_PER_PURCHASE ? [`is of ${quantity} tokens, and 1 to 10,000 can be bought`] : [];

const ownerFaults = (gamerId: GamerId, isGamer: (gamerId: GamerId) => boolean): string[] =>
  faultsOf([[!isGamer(gamerId), `is for ${gamerId}, who is no gamer`]]);
