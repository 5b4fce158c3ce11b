import type { LedgerEvent, LedgerEventType } from '../../contracts/events/ledger-events.js';
import type { GamerId } from '../../contracts/ids.js';
import { MAX_ADJUSTMENT_CENTS, MAX_TOKENS_PER_PURCHASE } from '../../contracts/limits.js';
import { words } from '../../contracts/words.js';
import { cents, faultsOf } from '../replay/finding.js';

/** Events that give money, a status or limits to a gamer. */
const OF_GAMERS: ReadonlySet<LedgerEventType> = new Set([
  ...words('InvoiceCredited WinningsTransferred BalanceReleased BalanceAdjusted DepositApproved WithdrawalRequested'),
  ...words('DepositorStatusSet StaffStatusSet GamerExcluded ExclusionLifted LimitsSet LimitsConfirmed'),
]);

/** Checks limits of amounts, and that money only goes to enrolled gamers and never to the admin (decisions 13, 15, 29). */
export function amountFaults(event: LedgerEvent, isGamer: (gamerId: GamerId) => boolean): string[] {
  const { type, data } = event;
  const owner = OF_GAMERS.has(type) && 'gamerId' in data ? data.gamerId : null;
  const isForNobody = owner !== null && !isGamer(owner);
  return [...faultsOf([[isForNobody, `is for ${owner}, who is no gamer`]]), ...ownFaults(event)];
}

function ownFaults({ type, data }: LedgerEvent): string[] {
  switch (type) {
    case 'TokenPurchased':
      return quantityFaults(data.quantity);
    case 'InvoiceCredited':
      return [
        ...quantityFaults(data.quantity),
        ...faultsOf([
          [data.amountCents <= 0, `credits ${cents(data.amountCents)}`],
          [data.amountCents % data.quantity !== 0, `credits ${cents(data.amountCents)} for ${data.quantity} tokens`],
        ]),
      ];
    case 'WinningsTransferred':
    case 'BalanceReleased':
      return faultsOf([[data.amountCents <= 0, `transfers ${cents(data.amountCents)}`]]);
    case 'BalanceAdjusted': {
      const changes = [data.purchaseCents, data.winningsCents];
      return faultsOf([
        [changes.every((change) => change === 0), 'adjusts nothing'],
        [changes.some((change) => Math.abs(change) > MAX_ADJUSTMENT_CENTS), 'adjusts by more than a million dollars'],
      ]);
    }
    default:
      return [];
  }
}

const quantityFaults = (quantity: number): string[] =>
  quantity < 1 || quantity > MAX_TOKENS_PER_PURCHASE ? [`is of ${quantity} tokens, and 1 to 10,000 can be bought`] : [];
