import { useQuery } from '@tanstack/react-query';
import { Check, CircleAlert, CircleHelp, Clock, Download } from 'lucide-react';
import type { LedgerEventProof, LedgerProofFile, ProvenReceipt } from '../../../../contracts/http/receipts.js';
import { codeOf, get, reasonOf } from '../../shared/api/api-client.js';
import { saveJson } from '../../shared/files.js';
import { parseCheckpoint } from '../../shared/ledger/signed-note.js';
import { ledgerMemory } from '../../shared/ledger/stored-memory.js';
import { Button } from '../../shared/ui/controls.js';
import { Notice } from '../../shared/ui/notice.js';
import { QueryResult } from '../../shared/ui/query-result.js';
import { checkProof, type Step } from './check-proof.js';
import { fetchCheckpoint } from './ledger-alarm.js';

export type Subject =
  | { kind: 'purchase'; receipt: ProvenReceipt }
  | { kind: 'round'; roundId: number }
  | { kind: 'file'; proof: LedgerProofFile };

type Checked = { proof: LedgerProofFile; steps: Step[] } | { denied: ProvenReceipt | null } | { notEnded: string };

export function ProofResult({ subject }: { subject: Subject }) {
  const query = useQuery({ queryKey: ['verify', subject], queryFn: () => check(subject), staleTime: 0, gcTime: 0 });
  return (
    <QueryResult query={query} what="proof" rows={6}>
      {(checked) => {
        if ('notEnded' in checked) return <p className="empty">{checked.notEnded}</p>;
        if ('denied' in checked) return <Denied receipt={checked.denied} />;
        return <Steps {...checked} isFile={subject.kind === 'file'} />;
      }}
    </QueryResult>
  );
}

async function check(subject: Subject): Promise<Checked> {
  const { key } = ledgerMemory.get();
  try {
    const proof = await proofOfSubject(subject, key);
    return { proof, steps: await checkProof(proof, key) };
  } catch (error) {
    if (codeOf(error) === 'round-not-ended') return { notEnded: reasonOf(error, 'The round has not ended') };
    if (!(error instanceof EventDenied)) throw error;
    return { denied: subject.kind === 'purchase' ? subject.receipt : null };
  }
}

async function proofOfSubject(subject: Subject, key: string | null): Promise<LedgerProofFile> {
  if (subject.kind === 'purchase') return fetchPurchaseProof(subject.receipt, key);
  return subject.kind === 'round' ? fetchRoundProof(subject.roundId, key) : subject.proof;
}

interface StepsProps {
  proof: LedgerProofFile;
  steps: Step[];
  isFile: boolean;
}

function Steps({ proof, steps, isFile }: StepsProps) {
  const number = proof.event.recorded.revision + 1;
  return (
    <>
      <Verdict steps={steps} isFile={isFile} />
      <ol className="proof-steps">
        {steps.map((step) => (
          <StepRow key={step.title} step={step} />
        ))}
      </ol>
      <div className="actions">
        <Button icon={Download} text="Save the proof" onClick={() => saveJson(`proof-${number}.json`, proof)} />
      </div>
      <p className="t14 dim">
        The file has everything that was checked here. Anyone can check it again without us: on this page, or offline
        with the auditor’s program (npm run audit -- receipt FILE).
      </p>
    </>
  );
}

const CHANGED_LEDGER =
  'Save the proof: it shows what the server answered. Buy nothing until the operator has explained it in public.';
const CHANGED_FILE = 'The file does not agree with itself: somebody changed it, or the ledger that it was saved from.';

function Verdict({ steps, isFile }: Pick<StepsProps, 'steps' | 'isFile'>) {
  if (steps.some(({ state }) => state === 'fails'))
    return <Notice tone="bad" urgent title="Something does not match" text={isFile ? CHANGED_FILE : CHANGED_LEDGER} />;
  if (steps.some(({ state }) => state === 'unknown'))
    return <Notice tone="plain" title="No contradiction, but not everything could be checked" />;
  return <Notice tone="plain" title={`All ${steps.filter(({ state }) => state === 'holds').length} steps hold`} />;
}

const STATES = {
  holds: { Icon: Check, text: 'Holds' },
  fails: { Icon: CircleAlert, text: 'Does not match' },
  unknown: { Icon: CircleHelp, text: 'Not checked' },
  later: { Icon: Clock, text: 'Later' },
} as const;

function StepRow({ step: { title, state, says, proves } }: { step: Step }) {
  const { Icon, text } = STATES[state];
  return (
    <li className={state === 'fails' ? 'is-bad' : undefined}>
      <Icon size={20} aria-hidden="true" />
      <div>
        <h3>
          {title} <span className="proof-state">{text}</span>
        </h3>
        <p>{says}</p>
        <p className="t14 dim">{proves}</p>
      </div>
    </li>
  );
}

const Denied = ({ receipt }: { receipt: ProvenReceipt | null }) => (
  <>
    <Notice
      tone="bad"
      urgent
      title="The server denies this event"
      text="It says that the ledger has no such event. If the receipt is yours, the ledger was changed after you bought: save the receipt, and show it to an auditor."
    />
    {receipt !== null && (
      <div className="actions">
        <Button icon={Download} text="Save the receipt" onClick={() => saveJson('receipt.json', receipt)} />
      </div>
    )}
  </>
);

const PROOF_FORMAT = 'omni-jackpot proof 1';

/** The server says that the ledger has no such event. */
class EventDenied extends Error {}

async function fetchPurchaseProof(receipt: ProvenReceipt, key: string | null): Promise<LedgerProofFile> {
  const path = ['/api', 'ledger', 'events', receipt.revision, { id: receipt.eventId }] as const;
  const event = await orDenied(get<LedgerEventProof>(path));
  const checkpoint = await checkpointAt(receipt.revision + 1);
  const roundEnd = await orNull(fetchRoundEnd(receipt.roundId));
  return { ...proofOf(key, checkpoint), receipt, event, roundEnd };
}

async function fetchRoundProof(roundId: number, key: string | null): Promise<LedgerProofFile> {
  const { event, checkpoint } = await fetchRoundEnd(roundId);
  return { ...proofOf(key, checkpoint), receipt: null, event, roundEnd: null };
}

async function fetchRoundEnd(roundId: number) {
  const event = await get<LedgerEventProof>(['/api', 'ledger', 'rounds', roundId]);
  return { event, checkpoint: await checkpointAt(event.recorded.revision + 1) };
}

async function checkpointAt(size: number): Promise<string> {
  const note = await fetchCheckpoint(size);
  if (note === null) throw new EventDenied(`The ledger has no event ${size}.`);
  return note;
}

const proofOf = (key: string | null, checkpoint: string) => ({
  format: PROOF_FORMAT as LedgerProofFile['format'],
  key: key ?? parseCheckpoint(checkpoint).key,
  checkpoint,
});

const orDenied = <T,>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: Error) => {
    throw codeOf(error) === 'event-not-found' ? new EventDenied(error.message) : error;
  });

/** Null when the round has not ended, or was reset. */
const orNull = <T,>(answer: Promise<T>): Promise<T | null> =>
  answer.catch((error: Error) => {
    if (codeOf(error) === 'round-not-ended') return null;
    throw error;
  });

/** A receipt, or a saved proof, from the text of a file. Throws with a sentence for a person. */
export function openedFile(text: string): ProvenReceipt | LedgerProofFile {
  let content: Partial<LedgerProofFile & ProvenReceipt> | null;
  try {
    content = JSON.parse(text);
  } catch {
    throw new Error('This is no receipt: the text is not JSON.');
  }
  if (content?.format === PROOF_FORMAT && content.event && content.checkpoint) return content as LedgerProofFile;
  const { revision, eventId, chain, purchaseId } = content ?? {};
  if (typeof revision === 'number' && typeof eventId === 'string' && typeof chain === 'string' && purchaseId)
    return content as ProvenReceipt;
  throw new Error('This is neither a receipt nor a saved proof: it names no event of the ledger.');
}
