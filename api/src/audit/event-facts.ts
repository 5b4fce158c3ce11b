import type { LedgerEvent } from '../../../contracts/events/ledger-events.js';
import type { AuditEvent } from '../../../contracts/http/audit.js';
import { formatCents } from '../../../contracts/money.js';
import type { NameOf } from '../gamers/gamer-names.queries.js';
import { placeInWords, reasonInWords, tokens, whole } from './event-words.js';
import { dateAndTime } from './times.js';

type Value = string | number | null | undefined;

/** What else an event says, by name; what it does not say is left out. */
export const factsOf = (event: LedgerEvent, nameOf: NameOf): AuditEvent['facts'] =>
  Object.entries(valuesOf(event, nameOf))
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => ({ name, value: String(value) }));

function valuesOf({ type, data }: LedgerEvent, nameOf: NameOf): Record<string, Value> {
  switch (type) {
    case 'TokenPurchased':
      return {
        'Paid from': data.source === 'balance' ? 'purchase balance' : `invoice, payment ${data.paymentId}`,
        Purchase: data.purchaseId,
        'Jackpot after it': formatCents(data.jackpotCents),
        'Purchase balance after it': formatCents(data.purchaseBalanceCents),
      };
    case 'TimeExtended':
      return {
        Added: `${whole(data.addedSeconds)} s`,
        'Ends at': dateAndTime(data.endsAtEpochMs),
        Purchase: data.purchaseId,
      };
    case 'GameStarted':
      return {
        'Pregame ends at': dateAndTime(data.pregameEndsAtEpochMs),
        'Jackpot carried': formatCents(data.carriedCents),
        ...timers(data.timers),
      };
    case 'LiveStarted':
      return { 'Ends at': dateAndTime(data.endsAtEpochMs), Forced: data.forced ? 'yes' : 'no' };
    case 'LiveResumed':
      return { 'Ends at': dateAndTime(data.endsAtEpochMs), 'Nobody could buy for': `${whole(data.outageSeconds)} s` };
    case 'RoundEnded':
      return {
        Winner: data.winner === null ? 'none' : nameOf(data.winner.gamerId),
        'Winning purchase': data.winner?.purchaseId,
        Jackpot: formatCents(data.jackpotCents),
        'Ended at': dateAndTime(data.endedAtEpochMs),
        'Next round at': dateAndTime(data.nextRoundAtEpochMs),
        Purchases: whole(data.purchaseCount),
        'Merkle root': data.merkleRoot,
      };
    case 'GameReset':
      return { 'Jackpot carried': formatCents(data.carriedCents), Reason: data.reason };
    case 'TimersChanged':
      return timers(data);
    case 'GamerEnrolled':
      return {
        Sponsor: data.sponsorId === null ? null : nameOf(data.sponsorId),
        Place: placeInWords(data, nameOf),
      };
    case 'GamerRemoved':
      return {
        'Purchase balance forfeited': formatCents(data.forfeitedPurchaseCents),
        'Winnings forfeited': formatCents(data.forfeitedWinningsCents),
        Moved: data.moved.map((move) => `${nameOf(move.gamerId)} to place ${placeInWords(move, nameOf)}`).join('; '),
      };
    case 'DepositorStatusSet':
      return { 'Depositor until': data.untilEpochMs === null ? 'no more' : dateAndTime(data.untilEpochMs) };
    case 'WinningsTransferred':
      return { 'Purchase balance after it': formatCents(data.purchaseBalanceCents) };
    case 'BalanceAdjusted':
      return {
        Reason: data.reason,
        'Purchase balance after it': formatCents(data.purchaseBalanceCents),
        // The first version of the event does not say what the winnings came to.
        'Winnings after it': data.winningsBalanceCents === undefined ? null : formatCents(data.winningsBalanceCents),
      };
    case 'DepositRecorded':
      return {
        'Parked because': reasonInWords(data.reason).toLowerCase(),
        'Approval would credit': formatCents(data.amountCents),
        Fee: formatCents(data.feeCents),
        ...deposit(data),
      };
    case 'DepositApproved':
      return {
        Credited: formatCents(data.amountCents),
        Fee: formatCents(data.feeCents),
        ...deposit(data),
        'Depositor until': data.depositorUntilEpochMs === null ? null : dateAndTime(data.depositorUntilEpochMs),
        'Purchase balance after it': formatCents(data.purchaseBalanceCents),
      };
    case 'DepositRejected':
      return { Deposit: data.depositId, Payment: data.paymentId, Notes: data.adminNotes };
    case 'InvoiceCredited':
      return {
        'Meant for': tokens(data.quantity),
        Coin: data.cryptoType,
        Payment: data.paymentId,
        'Purchase balance after it': formatCents(data.purchaseBalanceCents),
      };
    case 'WithdrawalRequested':
    case 'ProfitWithdrawalRequested':
      return { Withdrawal: data.withdrawalId, Coin: data.cryptoType, 'To address': data.walletAddress };
    case 'WithdrawalProcessing':
      return { Withdrawal: data.withdrawalId, Notes: data.adminNotes };
    case 'WithdrawalCompleted':
    case 'WithdrawalReturned':
    case 'ProfitWithdrawalCompleted':
    case 'ProfitWithdrawalReturned':
      return { Withdrawal: data.withdrawalId, Transaction: data.txid, Notes: data.adminNotes };
  }
}

const timers = (of: Extract<LedgerEvent, { type: 'TimersChanged' }>['data']): Record<string, string> => ({
  Pregame: `${whole(of.pregameDurationSeconds)} s`,
  Live: `${whole(of.liveDurationSeconds)} s`,
  Downtime: `${whole(of.downtimeDurationSeconds)} s`,
  'A token adds': `${whole(of.tokenExtensionSeconds)} s`,
});

const deposit = (of: { depositId: string; paymentId: string; cryptoType: string; purpose: 'deposit' | 'tokens' }) => ({
  'Meant for': of.purpose === 'tokens' ? 'tokens' : 'the purchase balance',
  Coin: of.cryptoType,
  Deposit: of.depositId,
  Payment: of.paymentId,
});
