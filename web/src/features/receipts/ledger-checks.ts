import { useEffect } from 'react';
import { fetchCheckpoint } from '../../shared/ledger/ledger-api.js';
import { canCheckSignatures } from '../../shared/ledger/signed-note.js';
import { ledgerMemory } from '../../shared/ledger/stored-memory.js';
import { createStore } from '../../shared/store.js';
import { checkLedger, mergeChecked } from './watch.js';

const INTERVAL_MS = 60_000;
/** Earlier sizes that one check asks for. */
const EARLIER_SIZES = 4;

/** The last check of this page, for the page /verify; null before the first one. */
export const lastCheck = createStore<{
  atEpochMs: number;
  /** A sentence when the server did not answer as it must; that contradicts nothing. */
  problem: string | null;
  checksSignatures: boolean;
} | null>(null);

/** Checks the ledger every minute while the page is visible and no alarm is raised. */
export function useLedgerChecks(): void {
  useEffect(() => {
    let turn = 0;
    let isChecking = false;
    const check = async () => {
      if (isChecking || document.hidden || ledgerMemory.get().alarm !== null) return;
      isChecking = true;
      const problem = await checkOnce(turn).then(
        () => null,
        (error: Error) => error.message,
      );
      lastCheck.set({ atEpochMs: Date.now(), problem, checksSignatures: await canCheckSignatures() });
      if (problem === null) turn += 1;
      isChecking = false;
    };
    void check();
    const timer = setInterval(() => whenIdle(() => void check()), INTERVAL_MS);
    return () => clearInterval(timer);
  }, []);
}

async function checkOnce(turn: number): Promise<void> {
  const before = ledgerMemory.get();
  const sources = { fetchCheckpoint, earlier: EARLIER_SIZES, turn, nowMs: Date.now() };
  const checked = await checkLedger(before, sources);
  ledgerMemory.update((known) => mergeChecked(known, before, checked));
}

/** Not every browser has requestIdleCallback. */
const whenIdle = (work: () => void): void => {
  if ('requestIdleCallback' in window) requestIdleCallback(work);
  else work();
};
