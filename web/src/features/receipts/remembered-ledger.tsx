import { counted, dateTimeText } from '../../shared/format.js';
import { parseCheckpoint } from '../../shared/ledger/signed-note.js';
import { ledgerMemory } from '../../shared/ledger/stored-memory.js';
import { useStore } from '../../shared/store.js';
import { Button } from '../../shared/ui/controls.js';
import { lastCheck } from './ledger-checks.js';

/** The key, the signed heads and the receipts that this browser keeps, in plain words. */
export function RememberedLedger() {
  const { key, checkpoints, receipts } = useStore(ledgerMemory);
  const [first, last] = [checkpoints[0], checkpoints.at(-1)].map((note) => (note ? parseCheckpoint(note) : undefined));
  if (key === null || !first || !last)
    return <p className="empty">Nothing yet: the first comparison comes a few seconds after the page was opened.</p>;
  return (
    <>
      <dl className="alarm-words">
        <dt>Signed heads</dt>
        <dd>
          {counted(checkpoints.length, 'head')}, the last of {counted(last.size, 'event')}; the first was signed{' '}
          {dateTimeText(first.atEpochMs)}
        </dd>
        <dt>Last comparison</dt>
        <dd>
          <LastCheck />
        </dd>
        <dt>Public key</dt>
        <dd className="code">{key}</dd>
        <dt>Receipts</dt>
        <dd>{receipts.length === 0 ? 'none' : counted(receipts.length, 'receipt')}</dd>
      </dl>
      <p className="t14 dim mb-3">
        Whoever uses this browser can read the receipts and open their events, also after you log out.
      </p>
      {receipts.length > 0 && (
        <Button
          kind="danger sm"
          text="Forget the receipts"
          onClick={() => ledgerMemory.update((known) => ({ ...known, receipts: [] }))}
        />
      )}
    </>
  );
}

function LastCheck() {
  const last = useStore(lastCheck);
  const { alarm } = useStore(ledgerMemory);
  if (alarm !== null) return 'Paused until you have decided about the warning above.';
  if (last === null) return 'Not since this page was opened.';
  const { atEpochMs, problem, checksSignatures } = last;
  const time = dateTimeText(atEpochMs);
  if (problem !== null)
    return `${time}: the server did not answer as it must (${problem}). The next one comes in a minute.`;
  return checksSignatures
    ? `${time}: signatures and hashes agree.`
    : `${time}: the hashes agree. This browser cannot check Ed25519 signatures on this page, so a forged signature would go unnoticed.`;
}
