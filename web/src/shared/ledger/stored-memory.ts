import type { PurchaseReceipt } from '../../../../contracts/http/purchases.js';
import { createStore, store, stored } from '../store.js';
import { EMPTY_MEMORY, type LedgerMemory, withReceipt } from './ledger-memory.js';

const STORED_AS = 'omni-jackpot.ledger';

function storedMemory(): LedgerMemory | null {
  const text = stored(STORED_AS);
  try {
    return text === null ? null : { ...EMPTY_MEMORY, ...(JSON.parse(text) as LedgerMemory) };
  } catch {
    return null;
  }
}

const memory = createStore<LedgerMemory>(storedMemory() ?? EMPTY_MEMORY);

export const ledgerMemory = {
  ...memory,
  /** Changes what is stored, which other tabs may have changed too. */
  update(change: (memory: LedgerMemory) => LedgerMemory): void {
    const next = change(storedMemory() ?? memory.get());
    store(STORED_AS, JSON.stringify(next));
    memory.set(next);
  },
};

export const rememberReceipt = (receipt: PurchaseReceipt): void =>
  ledgerMemory.update((known) => withReceipt(known, receipt));
