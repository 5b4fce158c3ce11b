import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { LedgerProofFile, ProvenReceipt } from '../../../../contracts/http/receipts.js';
import { counted, dateTimeText, wholeFromInput } from '../../shared/format.js';
import { ledgerMemory } from '../../shared/ledger/stored-memory.js';
import { useStore } from '../../shared/store.js';
import { Act } from '../../shared/ui/act.js';
import { Button, Field, Form } from '../../shared/ui/controls.js';
import { AlarmPanel } from './alarm-panel.js';
import { openedFile, ProofResult, type Subject } from './proof-result.js';
import './receipts.css';
import { parseCheckpoint } from '../../shared/ledger/signed-note.js';
import { lastCheck } from './ledger-alarm.js';

const RECEIPTS_LISTED = 5;

/** The page's address names the purchase or round that it checks, so that others can link to it. An opened file stays in the page. */
export function VerifyScreen() {
  const { purchase, round } = useSearch({ strict: false }) as { purchase?: string; round?: string };
  const { receipts, alarm } = useStore(ledgerMemory);
  const [file, setFile] = useState<LedgerProofFile | ProvenReceipt | null>(null);
  const navigate = useNavigate();
  const own = receipts.find(({ receipt }) => receipt.purchaseId === purchase)?.receipt;
  const roundId = wholeFromInput(round ?? '');
  const subject = subjectOf(file, own, roundId);
  const choose = (search: { purchase: string } | { round: string }) => {
    setFile(null);
    void navigate({ to: '/verify', search: search as never, resetScroll: false });
  };
  return (
    <>
      <h1 className="h2 py-6">Check the ledger yourself</h1>
      {alarm !== null && <AlarmPanel alarm={alarm} />}
      {subject !== null && <Result subject={subject} />}
      {subject === null && purchase !== undefined && (
        <p className="empty">This browser has no receipt of that purchase. Open it from a file below.</p>
      )}
      <Act
        title="A purchase of yours"
        lead={<p>No login and no trust needed: this browser does the sums, and compares them with what was signed.</p>}
      >
        <OwnReceipts chosenId={purchase} onChoose={(id) => choose({ purchase: id })} />
      </Act>
      <Act title="A round’s winner" lead={<p>The last event of a round names the winner and the prize.</p>}>
        <RoundForm onChoose={(id) => choose({ round: `${id}` })} />
      </Act>
      <Act title="A file" lead={<p>A receipt, or a proof that somebody saved on this page.</p>}>
        <FileForm onOpen={setFile} />
      </Act>
      <Act title="What this browser remembers" lead={<p>It compares the ledger with this once a minute.</p>}>
        <RememberedLedger />
      </Act>
    </>
  );
}

function subjectOf(
  file: LedgerProofFile | ProvenReceipt | null,
  own: ProvenReceipt | undefined,
  roundId: number | null,
): Subject | null {
  if (file !== null) return 'format' in file ? { kind: 'file', proof: file } : { kind: 'purchase', receipt: file };
  if (own) return { kind: 'purchase', receipt: own };
  return roundId === null ? null : { kind: 'round', roundId };
}

/** The result gets the focus when something was chosen, because the choice may be far below it. */
function Result({ subject }: { subject: Subject }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const name = nameOf(subject);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new subject moves the focus
  useEffect(() => heading.current?.focus(), [name]);
  return (
    <section className="proof-sheet" aria-labelledby="proof-heading">
      <h2 id="proof-heading" ref={heading} tabIndex={-1}>
        {name}
      </h2>
      <ProofResult subject={subject} />
    </section>
  );
}

function nameOf(subject: Subject): ReactNode {
  if (subject.kind === 'round') return `The end of round ${subject.roundId}`;
  const receipt = subject.kind === 'purchase' ? subject.receipt : subject.proof.receipt;
  if (receipt === null) return 'A saved proof of a round’s end';
  const purchase = `${counted(receipt.quantity, 'token')} in round ${receipt.roundId}`;
  return subject.kind === 'purchase' ? purchase : `A saved proof of ${purchase}`;
}

function OwnReceipts({ chosenId, onChoose }: { chosenId: string | undefined; onChoose: (purchaseId: string) => void }) {
  const { receipts } = useStore(ledgerMemory);
  const [isAll, setIsAll] = useState(false);
  if (receipts.length === 0)
    return (
      <p className="empty">
        After you buy tokens in this browser, their receipts are here.{' '}
        <Link className="underline" to="/">
          Go to the game
        </Link>
      </p>
    );
  const listed = isAll ? receipts : receipts.slice(0, RECEIPTS_LISTED);
  return (
    <>
      <ul className="rows receipts">
        {listed.map(({ receipt: { purchaseId, roundId, quantity, receivedAtEpochMs } }) => (
          <li key={purchaseId}>
            <span>
              <b>{counted(quantity, 'token')}</b>
              <span className="t14 dim">
                Round {roundId}, {dateTimeText(receivedAtEpochMs)}
              </span>
            </span>
            <Button
              kind="line sm"
              text="Check"
              aria-label={`Check ${counted(quantity, 'token')} of ${dateTimeText(receivedAtEpochMs)}`}
              aria-current={purchaseId === chosenId ? 'true' : undefined}
              onClick={() => onChoose(purchaseId)}
            />
          </li>
        ))}
      </ul>
      {!isAll && receipts.length > RECEIPTS_LISTED && (
        <Button kind="text sm" text={`Show all ${receipts.length}`} onClick={() => setIsAll(true)} />
      )}
    </>
  );
}

function RoundForm({ onChoose }: { onChoose: (roundId: number) => void }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const submit = () => {
    const roundId = wholeFromInput(text);
    setProblem(roundId === null ? 'Please enter the number of a round' : null);
    if (roundId !== null) onChoose(roundId);
  };
  return (
    <Form onSubmit={submit}>
      <Field
        label="Round number"
        inputMode="numeric"
        value={text}
        error={problem}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="actions">
        <Button type="submit" text="Check the winner" />
      </div>
    </Form>
  );
}

function FileForm({ onOpen }: { onOpen: (file: LedgerProofFile | ProvenReceipt) => void }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const open = (content: string) => {
    try {
      onOpen(openedFile(content));
      setProblem(null);
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <Form onSubmit={() => open(text)}>
      <Field
        label="Receipt or proof"
        hint="Paste the text, or open the file."
        rows={4}
        value={text}
        error={problem}
        onChange={(event) => setText(event.target.value)}
      />
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        hidden
        aria-label="Saved file"
        onChange={(event) => void event.target.files?.[0]?.text().then(open)}
      />
      <div className="actions">
        <Button type="submit" text="Check the text" />
        <Button kind="text" text="Open a file" onClick={() => input.current?.click()} />
      </div>
    </Form>
  );
}

function RememberedLedger() {
  const { key, checkpoints, receipts } = useStore(ledgerMemory);
  const [first, last] = [checkpoints[0], checkpoints.at(-1)].map((note) => (note ? parseCheckpoint(note) : undefined));
  if (key === null || !first || !last)
    return <p className="empty">Nothing yet: the first comparison comes a few seconds after the page was opened.</p>;
  return (
    <>
      <dl className="alarm-words">
        <dt>Signed heads</dt>
        <dd>
          <span>{`${counted(checkpoints.length, 'head')}, the last of ${counted(last.size, 'event')}; `}</span>
          <span>{`the first was signed ${dateTimeText(first.atEpochMs)}`}</span>
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
