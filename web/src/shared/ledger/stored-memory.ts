import type { PurchaseReceipt } from '../../../../contracts/http/game.js';
import { createStore } from '../store.js';
import { EMPTY_MEMORY, type LedgerMemory, withReceipt } from './ledger-memory.js';

const STORED_AS = 'omni-jackpot.ledger';

function stored(): LedgerMemory | null {
  try {
    const text = localStorage.getItem(STORED_AS);
    return text === null ? null : { ...EMPTY_MEMORY, ...(JSON.parse(text) as LedgerMemory) };
  } catch {
    // Storage is blocked, or holds something else: the page's own memory is used.
    return null;
  }
}

const memory = createStore<LedgerMemory>(stored() ?? EMPTY_MEMORY);

export const ledgerMemory = {
  ...memory,
  /** Changes what is stored, which other tabs may have changed too. */
  update(change: (memory: LedgerMemory) => LedgerMemory): void {
    const next = change(stored() ?? memory.get());
    try {
      localStorage.setItem(STORED_AS, JSON.stringify(next));
    } catch {
      // Blocked or full: the page still remembers.
    }
    memory.set(next);
  },
};

export const rememberReceipt = (receipt: PurchaseReceipt): void =>
  ledgerMemory.update((known) => withReceipt(known, receipt));
