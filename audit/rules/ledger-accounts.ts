import type { LedgerEvent, LedgerEventType } from '../../contracts/events/ledger-events.js';
import type { GamerId } from '../../contracts/ids.js';
import { type LedgerAccount, type Posting, purchaseAccount, winningsAccount } from '../../contracts/ledger-accounts.js';
import { MAX_ADJUSTMENT_CENTS, MAX_TOKENS_PER_PURCHASE } from '../../contracts/limits.js';
import type { Cents } from '../../contracts/money.js';
import { words } from '../../contracts/words.js';
import { type FaultReporter, formatCents } from '../replay/finding.js';

/** Accounts that may be below zero: the outside world, and the counterpart of adjustments. */
const MAY_BE_NEGATIVE: ReadonlySet<LedgerAccount> = new Set<LedgerAccount>(['world:crypto', 'house:adjustments']);

/** Recomputes every account from the postings of each event, and compares the balances that events state. */
export class LedgerAccounts {
  private readonly balances = new Map<LedgerAccount, Cents>();

  constructor(private readonly fault: FaultReporter) {}

  of(account: LedgerAccount): Cents {
    return this.balances.get(account) ?? 0;
  }

  nonZero(): [LedgerAccount, Cents][] {
    return [...this.balances].filter(([, balance]) => balance !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
  }

  post(event: LedgerEvent): void {
    let sum = 0;
    for (const { account, cents: amount } of postingsOf(event)) {
      const after = this.of(account) + amount;
      sum += amount;
      this.balances.set(account, after);
      if (after < 0 && !MAY_BE_NEGATIVE.has(account)) this.fault(`${account} is at ${formatCents(after)}`);
    }
    if (sum !== 0) this.fault(`has postings that sum to ${formatCents(sum)}, not to zero`);
    for (const [account, stated] of statedBalances(event))
      if (stated !== this.of(account))
        this.fault(`states ${formatCents(stated)} in ${account}, which has ${formatCents(this.of(account))}`);
  }
}

/** Balances after the event, where it carries them. */
function statedBalances({ type, data }: LedgerEvent): [LedgerAccount, Cents][] {
  const stated: [LedgerAccount, Cents][] = type === 'TokenPurchased' ? [['jackpot', data.jackpotCents]] : [];
  if (!('purchaseBalanceCents' in data)) return stated;
  const gamerId = 'buyerId' in data ? data.buyerId : data.gamerId;
  stated.push([purchaseAccount(gamerId), data.purchaseBalanceCents]);
  if ('winningsBalanceCents' in data) stated.push([winningsAccount(gamerId), data.winningsBalanceCents]);
  return stated;
}

/** An event's postings, by the table in docs/for-auditors.md. Lines of zero cents are left out. */
export const postingsOf = (event: LedgerEvent): Posting[] => linesOf(event).filter(({ cents }) => cents !== 0);

function linesOf({ type, data }: LedgerEvent): Posting[] {
  switch (type) {
    case 'TokenPurchased':
      return [
        line(data.source === 'invoice' ? 'world:crypto' : purchaseAccount(data.buyerId), -data.costCents),
        line('jackpot', data.jackpotShareCents),
        line('house:profit', data.houseShareCents),
        ...data.allocations.map(({ gamerId, cents }) => line(winningsAccount(gamerId), cents)),
        line('house:unclaimed', data.unclaimedCents),
      ];
    case 'RoundEnded':
      return data.winner ? transfer('jackpot', winningsAccount(data.winner.gamerId), data.jackpotCents) : [];
    case 'WinningsTransferred':
      return transfer(winningsAccount(data.gamerId), purchaseAccount(data.gamerId), data.amountCents);
    case 'BalanceReleased':
      return transfer(purchaseAccount(data.gamerId), winningsAccount(data.gamerId), data.amountCents);
    case 'BalanceAdjusted':
      return [
        ...transfer('house:adjustments', purchaseAccount(data.gamerId), data.purchaseCents),
        ...transfer('house:adjustments', winningsAccount(data.gamerId), data.winningsCents),
      ];
    case 'DepositApproved':
      return [
        ...transfer('world:crypto', purchaseAccount(data.gamerId), data.amountCents),
        ...transfer('world:crypto', 'house:deposit-fees', data.feeCents),
      ];
    case 'InvoiceCredited':
      return transfer('world:crypto', purchaseAccount(data.gamerId), data.amountCents);
    case 'WithdrawalRequested':
      return transfer(winningsAccount(data.gamerId), 'payouts:pending', data.amountCents);
    case 'WithdrawalReturned':
      return transfer('payouts:pending', winningsAccount(data.gamerId), data.amountCents);
    case 'ProfitWithdrawalRequested':
      return transfer('house:profit', 'payouts:pending', data.amountCents);
    case 'ProfitWithdrawalReturned':
      return transfer('payouts:pending', 'house:profit', data.amountCents);
    case 'WithdrawalCompleted':
    case 'ProfitWithdrawalCompleted':
      return transfer('payouts:pending', 'world:crypto', data.amountCents);
    case 'GamerRemoved':
      return [
        ...transfer(purchaseAccount(data.gamerId), 'house:forfeited', data.forfeitedPurchaseCents),
        ...transfer(winningsAccount(data.gamerId), 'house:forfeited', data.forfeitedWinningsCents),
      ];
    default:
      return [];
  }
}

const line = (account: LedgerAccount, cents: Cents): Posting => ({ account, cents });

const transfer = (from: LedgerAccount, to: LedgerAccount, cents: Cents): Posting[] => [
  line(from, -cents),
  line(to, cents),
];

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
