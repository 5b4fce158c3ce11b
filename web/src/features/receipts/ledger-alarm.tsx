import { Link } from '@tanstack/react-router';
import { ShieldAlert } from 'lucide-react';
import { useEffect } from 'react';
import { saveFile } from '../../shared/files.js';
import { fetchCheckpoint } from '../../shared/ledger/ledger-api.js';
import { ledgerMemory } from '../../shared/ledger/ledger-memory.js';
import { useStore } from '../../shared/store.js';
import { Button } from '../../shared/ui/controls.js';
import { alarmFile, alarmText } from './alarm-texts.js';
import { checkLedger, mergeChecked } from './watch.js';
import './receipts.css';

const INTERVAL_MS = 60_000;
/** Earlier sizes that one check asks for. */
const EARLIER_SIZES = 4;

/** Checks the ledger every minute. The banner stays until somebody decides on the page /verify. */
export function LedgerAlarm() {
  useChecks();
  const { alarm } = useStore(ledgerMemory);
  if (alarm === null) return null;
  const { title, says } = alarmText(alarm);
  return (
    <div className="linebanner ledger-alarm" role="alert">
      <ShieldAlert className="bad" size={22} aria-hidden="true" />
      <p>
        <b>{title}</b>
        <br />
        {says}
      </p>
      <div className="actions">
        <Link className="btn btn--line btn--sm" to="/verify">
          What to do
        </Link>
        <Button
          kind="line sm"
          text="Save both texts"
          onClick={() => saveFile('ledger-alarm.json', alarmFile(alarm), 'application/json')}
        />
      </div>
    </div>
  );
}

function useChecks(): void {
  useEffect(() => {
    let turn = 0;
    let isChecking = false;
    const check = async () => {
      if (isChecking || document.hidden || ledgerMemory.get().alarm !== null) return;
      isChecking = true;
      const before = ledgerMemory.get();
      try {
        const checked = await checkLedger(before, { fetchCheckpoint, earlier: EARLIER_SIZES, turn, nowMs: Date.now() });
        ledgerMemory.update((known) => mergeChecked(known, before, checked));
        turn += 1;
      } catch {
        // No answer, or none of this server's: it contradicts nothing, and the next check comes in a minute.
      } finally {
        isChecking = false;
      }
    };
    void check();
    const timer = setInterval(() => whenIdle(() => void check()), INTERVAL_MS);
    return () => clearInterval(timer);
  }, []);
}

/** Not every browser has requestIdleCallback. */
const whenIdle = (work: () => void): void => {
  if ('requestIdleCallback' in window) requestIdleCallback(work);
  else work();
};
