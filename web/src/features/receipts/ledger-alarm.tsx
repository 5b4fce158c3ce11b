import { Link } from '@tanstack/react-router';
import { ShieldAlert } from 'lucide-react';
import { saveFile } from '../../shared/files.js';
import { ledgerMemory } from '../../shared/ledger/stored-memory.js';
import { useStore } from '../../shared/store.js';
import { Button } from '../../shared/ui/controls.js';
import { alarmFile, alarmText } from './alarm-texts.js';
import { useLedgerChecks } from './ledger-checks.js';
import './receipts.css';

/** Checks the ledger every minute. The banner stays until somebody decides on the page /verify. */
export function LedgerAlarm() {
  useLedgerChecks();
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
