import type { LedgerEvent, LedgerEventType } from '../../contracts/events/ledger-events.js';
import type { GamerId } from '../../contracts/ids.js';
import { MAX_ADJUSTMENT_CENTS, MAX_TOKENS_PER_PURCHASE } from '../../contracts/limits.js';
import { words } from '../../contracts/words.js';
import { type FaultReporter, formatCents } from '../replay/finding.js';

/** Events that give money, a status or limits to a gamer. */
const OF_GAMERS: ReadonlySet<LedgerEventType> = new Set([
  ...words('InvoiceCredited WinningsTransferred BalanceReleased BalanceAdjusted DepositApproved WithdrawalRequested'),
  ...words('DepositorStatusSet StaffStatusSet GamerExcluded ExclusionLifted LimitsSet LimitsConfirmed'),
]);

/** Checks limits of amounts, and that money only goes to enrolled gamers and never to the admin (decisions 13, 15, 29). */
export function checkAmounts({ type, data }: LedgerEvent, isGamer: (id: GamerId) => boolean, fault: FaultReporter) {
  if (OF_GAMERS.has(type) && 'gamerId' in data && data.gamerId !== null && !isGamer(data.gamerId))
    fault(`is for ${data.gamerId}, who is not a gamer`);
  if ('quantity' in data && (data.quantity < 1 || data.quantity > MAX_TOKENS_PER_PURCHASE))
    fault(`is of ${data.quantity} tokens, and 1 to 10,000 can be bought`);
  switch (type) {
    case 'InvoiceCredited':
      if (data.amountCents <= 0) fault(`credits ${formatCents(data.amountCents)}`);
      if (data.amountCents % data.quantity !== 0)
        fault(`credits ${formatCents(data.amountCents)} for ${data.quantity} tokens`);
      return;
    case 'WinningsTransferred':
    case 'BalanceReleased':
      if (data.amountCents <= 0) fault(`transfers ${formatCents(data.amountCents)}`);
      return;
    case 'BalanceAdjusted': {
      const changes = [data.purchaseCents, data.winningsCents];
      if (changes.every((change) => change === 0)) fault('adjusts nothing');
      if (changes.some((change) => Math.abs(change) > MAX_ADJUSTMENT_CENTS))
        fault('adjusts by more than a million dollars');
    }
  }
}
