import type { LedgerEvent } from '../contracts/events/ledger-events.js';
import { type LedgerAccount, purchaseAccount, winningsAccount } from '../contracts/ledger-accounts.js';
import type { Cents } from '../contracts/money.js';
import { postings } from '../domain/postings.js';
import { cents } from './finding.js';

/** The outside world pays in, and adjustments are granted out of nothing; nothing else may owe. */
const MAY_OWE: ReadonlySet<LedgerAccount> = new Set<LedgerAccount>(['world:crypto', 'house:adjustments']);

/** Every account, recomputed from the postings of each event; what an event says of balances is held against it. */
export class Accounts {
  private readonly balances = new Map<LedgerAccount, Cents>();

  of(account: LedgerAccount): Cents {
    return this.balances.get(account) ?? 0;
  }

  /** Accounts that hold something, by name. */
  held(): [LedgerAccount, Cents][] {
    return [...this.balances].filter(([, held]) => held !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Posts an event; says what is wrong with it. */
  post(event: LedgerEvent): string[] {
    const said: string[] = [];
    try {
      for (const { account, cents: amount } of postings(event)) {
        const after = this.of(account) + amount;
        this.balances.set(account, after);
        if (after < 0 && !MAY_OWE.has(account)) said.push(`${account} is at ${cents(after)}`);
      }
    } catch (error) {
      // postings() throws when they do not sum to zero.
      said.push((error as Error).message);
    }
    for (const [account, stated] of statedBalances(event)) {
      if (stated !== this.of(account))
        said.push(`states ${cents(stated)} in ${account}, which has ${cents(this.of(account))}`);
    }
    return said;
  }
}

/** Balances after the event, where it carries them. */
function statedBalances(event: LedgerEvent): [LedgerAccount, Cents][] {
  switch (event.type) {
    case 'TokenPurchased':
      return [
        ['jackpot', event.data.jackpotCents],
        [purchaseAccount(event.data.buyerId), event.data.purchaseBalanceCents],
      ];
    case 'BalanceAdjusted': {
      const { gamerId, purchaseBalanceCents, winningsBalanceCents } = event.data;
      const purchase: [LedgerAccount, Cents] = [purchaseAccount(gamerId), purchaseBalanceCents];
      return winningsBalanceCents === undefined
        ? [purchase]
        : [purchase, [winningsAccount(gamerId), winningsBalanceCents]];
    }
    case 'WinningsTransferred':
    case 'DepositApproved':
    case 'InvoiceCredited':
      return [[purchaseAccount(event.data.gamerId), event.data.purchaseBalanceCents]];
    default:
      return [];
  }
}
