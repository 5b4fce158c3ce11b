import { type QueryClient, useQuery } from '@tanstack/react-query';
import { Check, CircleAlert, Clock, Download } from 'lucide-react';
import type { RoundResponse } from '../../../../contracts/http/rounds.js';
import { MAX_PAGE_SIZE } from '../../../../contracts/limits.js';
import type { RefusalCode } from '../../../../contracts/refusals.js';
import { type OpenedEvent, PROOF_FILE_SUFFIX, parseProofFile } from '../../../../contracts/transparency/proof-file.js';
import * as notes from '../../../../contracts/transparency/signed-refusal.js';
import { type ApiKey, codeOf, get, reasonOf } from '../../shared/api/api-client.js';
import { saveFile } from '../../shared/files.js';
import { ledgerMemory, type ReceiptEvidence } from '../../shared/ledger/ledger-memory.js';
import { sessionQuery, useSession } from '../../shared/session.queries.js';
import { Button, PageLink } from '../../shared/ui/controls.js';
import { AuthLink } from '../../shared/ui/needs-session.js';
import { Notice } from '../../shared/ui/notice.js';
import { QueryResult } from '../../shared/ui/query-result.js';
import { checkProof, checkRefusal, type EventPredicate, type Step } from './check-proof.js';
import { compareLedger, LossText, TextBlock } from './ledger-alarm.js';
import { fetchProof, newestKeys, requiredPolicy } from './log-client.js';
import { lossOf } from './watch.js';

export interface Subject {
  name: string;
  /** The path of a proof, or the text of a file. */
  source: ApiKey | string;
  isRequested?: EventPredicate;
  receipt?: ReceiptEvidence | undefined;
  note?: string | null;
  /** True for a proof that only the buyer and staff get. */
  isOfBuyer?: boolean;
}

const UNTIL_COSIGNED_MS = 5_000;
const REFETCHES = 12;

export function ProofResult({ subject }: { subject: Subject }) {
  const isFile = typeof subject.source === 'string';
  const query = useQuery({
    queryKey: ['verify', subject.source],
    queryFn: ({ client }) => checkSubject(subject, client),
    networkMode: 'always',
    staleTime: 0,
    gcTime: 0,
    // Witnesses cosign a new head within seconds.
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      !isFile && dataUpdateCount < REFETCHES && data?.steps.some(({ holds }) => holds === null) && UNTIL_COSIGNED_MS,
  });
  return (
    <QueryResult query={query} noun="proof" rows={6}>
      {({ text, steps, refusal, loss }) => (
        <>
          {loss && <Notice tone="bad" urgent title="This event was lost" text={<LossText loss={loss} />} />}
          {refusal === null && <Steps text={text} steps={steps} isFile={isFile} />}
          {refusal !== null && !loss && <Refusal {...refusal} />}
        </>
      )}
    </QueryResult>
  );
}

async function checkSubject({ source, isRequested, receipt, isOfBuyer }: Subject, client: QueryClient) {
  const server = await newestKeys(client);
  const losses = server?.losses ?? [];
  const { key, receipts } = ledgerMemory.get();
  const trusted = {
    key: key ?? server?.keys[0] ?? null,
    losses,
    policy: await requiredPolicy(server?.policy),
    receipts: receipts.map(({ receipt }) => receipt),
    names: new Map(),
  };
  try {
    const text = typeof source === 'string' ? source : await fetchProof(source);
    if (notes.isSignedRefusal(text)) {
      const refused = notes.parseSignedRefusal(text);
      const path = ['/api', 'ledger', 'rounds', refused.late.roundId, 'proof'] as const;
      const end = await fetchProof(path).then(parseProofFile, () => null);
      return { text, steps: await checkRefusal(refused, trusted, end), refusal: null, loss: undefined };
    }
    const proof = parseProofFile(text);
    const known = { ...trusted, names: await namesIn(proof.extra.events, client) };
    const loss = losses.find(({ signedOrigin }) => signedOrigin === proof.head.origin);
    const steps = await checkProof(proof, known, isRequested);
    // Finds the receipt, which may be younger than the last comparison.
    if (receipt && steps.every(({ holds }) => holds)) void compareLedger();
    return { text, steps, refusal: null, loss: loss && proof.index + 1 >= loss.number ? loss : undefined };
  } catch (error) {
    const code = codeOf(error);
    if (code === null || !DENIAL_CODES.includes(code)) throw error;
    const loss = receipt && lossOf(receipt, losses);
    const refusal = { code, reason: reasonOf(error, 'The ledger has no such event'), isOfBuyer };
    return { text: '', steps: [], refusal, loss };
  }
}

const DENIAL_CODES: readonly RefusalCode[] = [
  'round-not-ended',
  'round-reset',
  'event-not-found',
  'not-logged-in',
  'second-factor-required',
];

/** This site's GamerTags for the gamers of a proof, which has only their ids. */
async function namesIn(events: readonly (object | OpenedEvent)[], client: QueryClient): Promise<Map<unknown, string>> {
  const names = new Map<unknown, string>();
  const { type, data } = events.at(-1) as OpenedEvent;
  if (type === 'RoundEnded' || type === 'TokenPurchased') {
    const path = ['/api', 'rounds', `${data?.roundId}`, { pageSize: MAX_PAGE_SIZE }] as const;
    const round = await get<RoundResponse>(path, AbortSignal.timeout(5_000)).catch(() => null);
    if (round?.winner) names.set(round.winner.id, round.winner.gamerTag);
    for (const { buyerId, buyerGamerTag } of round?.purchases ?? []) names.set(buyerId, buyerGamerTag);
  }
  const session = client.getQueryData(sessionQuery.queryKey);
  return session?.isAuthenticated ? names.set(session.id, 'you') : names;
}

const DENIAL_ADVICE =
  'If you have a receipt of it, the ledger was changed after you bought. Keep the receipt, and show it to an auditor.';

type RefusalProps = { code: RefusalCode; reason: string; isOfBuyer: boolean | undefined };

function Refusal({ code, reason, isOfBuyer }: RefusalProps) {
  const isVisitor = useSession() === null;
  if (isOfBuyer && isVisitor) return <BuyerOnly />;
  if (code === 'event-not-found') {
    const title = isOfBuyer ? 'No such event, or not of this account' : 'The server denies this event';
    return <Notice tone="bad" urgent title={title} text={`${reason}. ${DENIAL_ADVICE}`} />;
  }
  return (
    <p className="empty">
      {reason}. {code === 'round-reset' && <PageLink className="linkish" to="/record" text="Public record" />}
      {code === 'second-factor-required' && <PageLink className="linkish" to="/staff" text="Second factor" />}
    </p>
  );
}

export function BuyerOnly() {
  const isVisitor = useSession() === null;
  const text = isVisitor
    ? 'Log in as its buyer. You then come back to this page.'
    : 'You are logged in to another account.';
  return (
    <div className="grid justify-items-start gap-4 pb-4">
      <Notice tone="missing" title="Only its buyer can open this proof" text={text} />
      <AuthLink form="login" text="Log in" />
    </div>
  );
}

function Steps({ text, steps, isFile }: { text: string; steps: readonly Step[]; isFile: boolean }) {
  const isRefusal = notes.isSignedRefusal(text);
  const { file, name, words } = isRefusal ? refusalFile(text) : proofFile(text);
  const save = () => saveFile(file, text, 'application/octet-stream');
  return (
    <>
      <Verdict steps={steps} isFile={isFile} />
      <ol className="proof-steps">
        {steps.map((step) => (
          <StepRow key={step.title} {...step} />
        ))}
      </ol>
      <TextBlock name={`The ${name}, word for word`} text={words} />
      <div className="actions">
        <Button icon={Download} text={isRefusal ? 'Save the refusal' : 'Save the proof'} onClick={save} />
      </div>
      <p className="t14 dim">
        The file is a C2SP {isRefusal ? 'signed note' : 'tlog-proof'}. Anyone can check it without us: on this page,
        also offline, or with the auditor’s program (npm run audit -- receipt FILE --key KEY).
      </p>
    </>
  );
}

function proofFile(text: string) {
  const { extra, index } = parseProofFile(text);
  const { id, type, data } = extra.events.at(-1) as OpenedEvent;
  const words = JSON.stringify({ id, type, data }, null, 2);
  return { file: `ledger-${index + 1}${PROOF_FILE_SUFFIX}`, name: 'event', words };
}

function refusalFile(text: string) {
  const { roundId } = notes.parseSignedRefusal(text).late;
  return { file: `round-${roundId}${notes.REFUSAL_FILE_SUFFIX}`, name: 'refusal', words: text };
}

const CHANGED_LEDGER =
  'Save the proof: it shows what the server answered. Buy nothing until the operator has explained it in public.';
const CHANGED_FILE = 'The file does not agree with itself, or with what this browser knows. Somebody changed it.';

function Verdict({ steps, isFile }: { steps: readonly Step[]; isFile: boolean }) {
  if (steps.some(({ holds }) => holds === false))
    return <Notice tone="bad" urgent title="Something does not match" text={isFile ? CHANGED_FILE : CHANGED_LEDGER} />;
  if (steps.some(({ holds }) => holds === null))
    return <Notice tone="time" title="No contradiction, but not everything could be checked yet" />;
  return <Notice tone="plain" title={`All ${steps.length} steps hold`} />;
}

const STATES = {
  true: { Icon: Check, state: 'Holds' },
  false: { Icon: CircleAlert, state: 'Does not match' },
  null: { Icon: Clock, state: 'Not checked yet' },
} as const;

function StepRow({ title, holds, message, proves }: Step) {
  const { Icon, state } = STATES[`${holds}`];
  return (
    <li className={holds === false ? 'is-bad' : undefined}>
      <Icon size={20} aria-hidden="true" />
      <div>
        <h3>
          {title} <span className="proof-state">{state}</span>
        </h3>
        <p>{message}</p>
        <p className="t14 dim">{proves}</p>
      </div>
    </li>
  );
}
