import type { PlayTotals } from '../../../contracts/http/audit.js';
import type { Cents } from '../../../contracts/money.js';
import { INVOICE_ACCOUNT, type JournalSum } from './journal.queries.js';

/**
 * Sums up a gamer's movements. A token invoice is money paid in and spent, as in the gamer's limits (decision 56), and
 * the net position counts the jackpots only, as the limit of the net loss does.
 */
export function playTotals(sums: readonly JournalSum[]): Omit<PlayTotals, 'withdrawnCents'> {
  const total = (belongs: (sum: JournalSum) => boolean): Cents =>
    sums.reduce((cents, sum) => (belongs(sum) ? cents + sum.cents : cents), 0);
  const ofType = (...types: JournalSum['type'][]) => total(({ type }) => types.includes(type));
  const isWinnings = ({ account }: JournalSum): boolean => account.endsWith(':winnings');
  const byInvoiceCents = -total(({ account }) => account === INVOICE_ACCOUNT);
  const spentCents = -total((sum) => sum.type === null && !isWinnings(sum));
  const wonCents = ofType('RoundEnded');
  return {
    paidInCents: ofType('DepositApproved', 'InvoiceCredited') + byInvoiceCents,
    spentCents,
    wonCents,
    netCents: wonCents - spentCents,
    matrixCents: total((sum) => sum.type === null && isWinnings(sum)),
    transferredCents: total(
      (sum) => !isWinnings(sum) && (sum.type === 'WinningsTransferred' || sum.type === 'BalanceReleased'),
    ),
    adjustedCents: ofType('BalanceAdjusted'),
  };
}
