import { Download, ShieldAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { LostHistory } from '../../../../contracts/http/history-loss.js';
import { fetchHead, tileReader } from '../../../../contracts/transparency/log-client.js';
import { canVerify } from '../../../../contracts/transparency/signed-note.js';
import { saveJson } from '../../shared/files.js';
import { counted, dateTimeText, numberText } from '../../shared/format.js';
import { type Alarm, EMPTY_MEMORY, ledgerMemory, type ReceiptEvidence } from '../../shared/ledger/ledger-memory.js';
import { createStore, useStore } from '../../shared/store.js';
import { Button, PageLink } from '../../shared/ui/controls.js';
import { Notice } from '../../shared/ui/notice.js';
import { scrollable } from '../../shared/ui/table.js';
import { fetchKeys, LOG_PREFIX } from './log-client.js';
import './receipts.css';
import { afterLoss, checkLedger, lossOf, mergeFindings } from './watch.js';

/** Checks the ledger every minute while the page is visible. The banner of an alarm ends the checks, until somebody decides on the page /verify. */
export default function LedgerAlarm() {
  useEffect(() => {
    void compareLedger();
    const timer = setInterval(() => void compareLedger(), INTERVAL_MS);
    window.addEventListener('storage', readStored);
    return () => {
      clearInterval(timer);
      window.removeEventListener('storage', readStored);
    };
  }, []);
  const { alarm } = useStore(ledgerMemory);
  if (alarm === null) return null;
  const { title, text } = TEXTS[alarm.kind];
  return (
    <div className="linebanner ledger-alarm" role={alarm.kind === 'lost' ? 'status' : 'alert'}>
      <ShieldAlert className={alarm.kind === 'lost' ? undefined : 'bad'} size={22} aria-hidden="true" />
      <p>
        <b>{title}</b>
        <br />
        <span>{text}</span>
      </p>
      <div className="actions">
        <PageLink className="btn btn--line btn--sm" to="/verify" text="What to do" />
        <Button kind="line sm" text="Save both texts" onClick={() => saveAlarm(alarm)} />
      </div>
    </div>
  );
}

const TEXTS: Record<Alarm['kind'], { title: string; text: string; advice: string }> = {
  contradiction: {
    title: 'The ledger contradicts itself',
    text: 'This browser has proof of one history of the ledger. The server now signs another one.',
    advice:
      'Buy nothing until the operator has explained it in public. Show the file to other gamers and to an auditor.',
  },
  shorter: {
    title: 'The ledger has lost events',
    text: 'The operator signed or confirmed a longer ledger. What you bought may be missing.',
    advice: 'Buy nothing until the operator has explained it in public.',
  },
  signature: {
    title: 'A signature of the ledger is wrong',
    text: 'Somebody may have changed the ledger on its way, or this is not the operator’s server.',
    advice: 'Check the address of this page, and try another network. Buy nothing until the warning is explained.',
  },
  key: {
    title: 'The ledger is signed with another key',
    text: 'The operator replaced the key, or somebody else signs. The known key does not vouch for the new one.',
    advice: 'Compare the new key with the one that the operator has published. Accept it only if they are the same.',
  },
  lost: {
    title: 'A part of the ledger was lost',
    text: 'The operator says so in public. What is left goes on as a log with a new name, signed by the key that this browser knows.',
    advice: 'If a purchase of yours was lost, show the operator its receipt.',
  },
};

const saveAlarm = (alarm: Alarm): void => saveJson('ledger-alarm.json', { format: 'omni-jackpot alarm 2', ...alarm });

export function AlarmPanel({ alarm }: { alarm: Alarm }) {
  const [isSaved, setIsSaved] = useState(false);
  const { remembered, received, newKey, loss } = alarm;
  const receipts = useStore(ledgerMemory).receipts.map(({ receipt }) => receipt);
  const { title, text, advice } = TEXTS[alarm.kind];
  const save = () => {
    saveAlarm(alarm);
    setIsSaved(true);
  };
  return (
    <section className="proof-sheet" aria-label={title}>
      <h2>{title}</h2>
      <Notice tone={loss ? 'time' : 'bad'} text={text} />
      {loss && (
        <>
          <p>
            <LossText loss={loss} />
          </p>
          <LostReceipts receipts={receipts.filter((receipt) => lossOf(receipt, [loss]))} />
        </>
      )}
      <p>Save both texts and keep the file. {advice}</p>
      <TextBlock name="What this browser remembered" text={remembered} />
      <TextBlock name="What the server signed now" text={received} />
      {newKey !== null && <TextBlock name="The new key" text={newKey} />}
      <div className="actions">
        <Button kind="act" icon={Download} text="Save both texts" onClick={save} />
        {loss && (
          <Button
            text="Go on with the new log"
            onClick={() => ledgerMemory.update((known) => afterLoss(known, alarm, loss))}
          />
        )}
        {newKey !== null && !loss && (
          <Button
            kind="danger"
            text="I compared it: accept the new key"
            onClick={() => ledgerMemory.update((known) => ({ ...known, key: newKey, alarm: null }))}
          />
        )}
        <Button
          kind="danger"
          text="Forget all and begin anew"
          disabled={!isSaved}
          title={isSaved ? undefined : 'Save both texts first'}
          onClick={() => ledgerMemory.update(() => EMPTY_MEMORY)}
        />
      </div>
      {!isSaved && (
        <p className="t14 dim">Forgetting is possible once both texts are saved. The warning stays until then.</p>
      )}
    </section>
  );
}

export const purchaseText = ({ quantity, roundId }: ReceiptEvidence): string =>
  `${counted(quantity, 'token')} in round ${roundId}`;

/** The lost time, the person who accepted the loss, and the reason. */
export const LossText = ({ loss }: { loss: LostHistory }) => (
  <>
    What happened between {dateTimeText(loss.lastKeptAtMs)} and {dateTimeText(loss.atMs)} is lost. {loss.acceptedBy}{' '}
    accepted it: <q className="break-words">{loss.reason}</q>{' '}
    <PageLink className="underline" to="/record" text={`Event ${numberText(loss.number)} of the ledger says so`} />
  </>
);

const LostReceipts = ({ receipts }: { receipts: readonly ReceiptEvidence[] }) =>
  receipts.length === 0 ? (
    <p>No purchase that this browser remembers was lost.</p>
  ) : (
    <div>
      <h3>{`Lost: ${counted(receipts.length, 'purchase')} that this browser remembers`}</h3>
      <ul>
        {receipts.map((receipt) => (
          <li key={receipt.purchaseId}>{`${purchaseText(receipt)}, ${dateTimeText(receipt.receivedAtEpochMs)}`}</li>
        ))}
      </ul>
    </div>
  );

export const TextBlock = ({ name, text }: { name: string; text: string }) => (
  <div>
    <h3>{name}</h3>
    <pre className="code proof-text" {...scrollable(name)}>
      {text}
    </pre>
  </div>
);

const INTERVAL_MS = 60_000;

/** A sentence about the last check of this page. A check that fails raises no alarm: it proves nothing about the ledger. */
export const lastCheck = createStore('Not since this page was opened.');

export async function compareLedger(): Promise<void> {
  readStored();
  if (document.hidden || ledgerMemory.get().alarm !== null) return;
  const outcome = await checkOnce().catch(
    ({ message }: Error) => `the server did not answer as it must (${message}). The next one comes in a minute.`,
  );
  lastCheck.set(`${dateTimeText(Date.now())}: ${outcome}`);
}

/** Reads the memory that other tabs stored, such as an alarm. */
const readStored = (): void => ledgerMemory.update((known) => known);

async function checkOnce(): Promise<string> {
  if (!window.isSecureContext) return 'this browser can compute hashes only on pages that are served over https.';
  const before = ledgerMemory.get();
  const sources = { fetchHead: () => fetchHead(LOG_PREFIX), fetchKeys, readTile: tileReader(LOG_PREFIX) };
  const checked = await checkLedger(before, { ...sources, nowMs: Date.now() });
  ledgerMemory.update((known) => mergeFindings(known, before, checked));
  return (await canVerify())
    ? 'the ledger continues what this browser remembers, and its signature is right.'
    : 'the ledger continues what this browser remembers. This browser cannot check Ed25519 signatures, so a forged one would go unnoticed.';
}
