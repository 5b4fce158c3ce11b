import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { LatePurchasesResponse } from '../../../../contracts/http/purchases.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { PROOF_FILE_SUFFIX, parseProofFile } from '../../../../contracts/transparency/proof-file.js';
import { parseSignedHead } from '../../../../contracts/transparency/signed-head.js';
import * as notes from '../../../../contracts/transparency/signed-refusal.js';
import { useApi } from '../../shared/api/api-client.js';
import { counted, dateTimeText, numberText, wholeFromInput } from '../../shared/format.js';
import { type LedgerMemory, ledgerMemory } from '../../shared/ledger/ledger-memory.js';
import { useMyId, useSession } from '../../shared/session.queries.js';
import { useStore } from '../../shared/store.js';
import { Act } from '../../shared/ui/act.js';
import { Button, Field, Form, PageLink, type PairRow, Pairs, useFields } from '../../shared/ui/controls.js';
import { Notice } from '../../shared/ui/notice.js';
import { QueryResult } from '../../shared/ui/query-result.js';
import { refusalName, unrecordedNote } from './check-proof.js';
import { AlarmPanel, lastCheck, purchaseText } from './ledger-alarm.js';
import { newestWitnesses } from './log-client.js';
import { BuyerOnly, ProofResult, type Subject } from './proof-result.js';
import './receipts.css';
import { focusAtFirst } from '../../shared/ui/go-to.js';

interface Search {
  purchase?: string;
  /** A purchase that came too late: its command id, or its round for the newest one. */
  late?: string;
  /** The buyer's gamer id, for staff. */
  gamer?: string;
  round?: string;
  /** Number of an event. Anyone opens it with its id; without the id only its buyer and staff do. */
  event?: string;
  id?: string;
}

/** Public: anyone checks a receipt, a saved proof or a round's winner, without a login. */
export default function VerifyScreen() {
  const search = useSearch({ strict: false }) as Search;
  const { receipts, alarm } = useStore(ledgerMemory);
  const [file, setFile] = useState<Subject | null>(null);
  const navigate = useNavigate();
  const { refusals, query } = useRefusals(search.gamer);
  const isVisitor = useSession() === null;
  const subject = file ?? subjectOf(search, receipts, refusals);
  const choose = (next: Search) => {
    setFile(null);
    void navigate({ to: '/verify', search: next as never, resetScroll: false });
  };
  return (
    <>
      <h1 className="h2 py-6">Check the ledger yourself</h1>
      {alarm !== null && <AlarmPanel alarm={alarm} />}
      {subject !== null && <Result subject={subject} />}
      {subject === null && search.purchase !== undefined && (
        <p className="empty">This browser has no receipt of that purchase. Open a saved proof of it below.</p>
      )}
      {subject === null && search.late !== undefined && isVisitor && <BuyerOnly />}
      {subject === null && search.late !== undefined && !isVisitor && (
        <QueryResult query={query} noun="late purchases" rows={2}>
          {() => <BuyerOnly />}
        </QueryResult>
      )}
      <Act
        title="A purchase of yours"
        lead="No login and no trust needed: this browser does the sums, and compares them with what was signed. Tokens that an invoice paid have no receipt here."
      >
        <OwnPurchases refusals={refusals} chosenId={search.purchase ?? search.late} onChoose={choose} />
      </Act>
      <Act title="A round’s winner" lead="The last buyer wins. The proof shows that nobody bought later.">
        <RoundForm onChoose={(id) => choose({ round: `${id}` })} />
      </Act>
      <Act title="A file" lead="A proof that somebody saved on this page. It is checked without the server.">
        <OpenFile onOpen={setFile} />
      </Act>
      <Act title="What this browser remembers" lead="It compares the ledger with this once a minute.">
        <RememberedLedger />
      </Act>
    </>
  );
}

function subjectOf(
  { purchase, late = '', round, event, id }: Search,
  receipts: LedgerMemory['receipts'],
  refusals: readonly Refusal[],
): Subject | null {
  const refusal =
    refusals.find(({ commandId }) => commandId === late) ?? refusals.find(({ roundId }) => `${roundId}` === late);
  if (refusal)
    return { name: refusalName(refusal), source: refusal.text, note: unrecordedNote(refusal.roundId, refusals) };
  const own = receipts.find(({ receipt }) => receipt.purchaseId === purchase)?.receipt;
  const number = own ? own.revision + 1 : wholeFromInput(event ?? '');
  const eventId = own?.eventId ?? id;
  if (number !== null)
    return {
      name: own ? purchaseText(own) : `Event ${numberText(number)}`,
      source: ['/api', 'ledger', 'events', number - 1, 'proof', eventId === undefined ? {} : { id: eventId }],
      isRequested: (proved, index) => (eventId ?? proved.id) === proved.id && index === number - 1,
      receipt: own,
      isOfBuyer: eventId === undefined,
    };
  const roundId = wholeFromInput(round ?? '');
  if (roundId === null) return null;
  return {
    name: `The end of round ${roundId}`,
    source: ['/api', 'ledger', 'rounds', roundId, 'proof'],
    isRequested: ({ type, data }) => type === 'RoundEnded' && data.roundId === roundId,
  };
}

/** The result takes the focus, because the button that chose it may be far below. */
const Result = ({ subject }: { subject: Subject }) => (
  <section className="proof-sheet" aria-labelledby="proof-heading">
    <h2 key={subject.name} id="proof-heading" ref={focusAtFirst} tabIndex={-1}>
      {subject.name}
    </h2>
    <ProofResult subject={subject} />
    {subject.note && <p className="t14 dim">{subject.note}</p>}
  </section>
);

type Refusal = notes.LatePurchase & { text: string };

/** The signed refusals that this browser keeps, and those of the account. @param gamerId another gamer's id, for staff */
function useRefusals(gamerId?: GamerId) {
  const { refusals } = useStore(ledgerMemory);
  const ofGamer = gamerId && (['/api', 'admin', 'gamers', gamerId, 'history'] as const);
  const path = ofGamer || (['/api', 'purchases', 'late'] as const);
  const query = useApi<LatePurchasesResponse>(path, { enabled: useMyId() !== '' });
  const all = [...new Set([...(query.data?.signedRefusals ?? []), ...refusals])];
  return { query, refusals: all.map((text): Refusal => ({ ...notes.parseSignedRefusal(text).late, text })) };
}

const RECEIPTS_LISTED = 5;

interface OwnPurchasesProps {
  refusals: readonly Refusal[];
  chosenId: string | undefined;
  onChoose: (search: Search) => void;
}

function OwnPurchases({ refusals, chosenId, onChoose }: OwnPurchasesProps) {
  const { receipts } = useStore(ledgerMemory);
  const [isAll, setIsAll] = useState(false);
  const bought = receipts.slice(0, isAll ? undefined : RECEIPTS_LISTED);
  const rows = [
    ...refusals.map((one) => ({ ...one, kind: 'late', id: one.commandId, name: refusalName(one), note: ', refused' })),
    ...bought.map(({ receipt, isLost }) => {
      const id = receipt.purchaseId;
      return { ...receipt, kind: 'purchase', id, name: purchaseText(receipt), note: isLost && ', lost' };
    }),
  ];
  return (
    <>
      {rows.length > 0 && (
        <ul className="rows receipts">
          {rows.map(({ kind, id, name, receivedAtEpochMs, note }) => (
            <li key={id}>
              <span>
                <b>{name}</b>
                <span className="t14 dim">
                  {dateTimeText(receivedAtEpochMs)}
                  {note}
                </span>
              </span>
              <Button
                kind="line sm"
                text="Check"
                of={`${name} of ${dateTimeText(receivedAtEpochMs)}`}
                aria-current={id === chosenId ? 'true' : undefined}
                onClick={() => onChoose({ [kind]: id })}
              />
            </li>
          ))}
        </ul>
      )}
      {receipts.length === 0 && (
        <p className="empty">
          After you buy tokens in this browser, their receipts are here.{' '}
          <PageLink className="underline" to="/" text="Go to the game" />
        </p>
      )}
      {!isAll && receipts.length > RECEIPTS_LISTED && (
        <Button kind="text sm" text={`Show all ${receipts.length}`} onClick={() => setIsAll(true)} />
      )}
    </>
  );
}

function RoundForm({ onChoose }: { onChoose: (roundId: number) => void }) {
  const { values, bind, setProblems } = useFields({ round: '' });
  const submit = () => {
    const roundId = wholeFromInput(values.round);
    if (roundId === null) setProblems({ round: 'Please enter the number of a round' });
    else onChoose(roundId);
  };
  return (
    <Form onSubmit={submit}>
      <Field label="Round number" inputMode="numeric" {...bind('round')} />
      <div className="actions">
        <Button type="submit" text="Check the winner" />
      </div>
    </Form>
  );
}

function OpenFile({ onOpen }: { onOpen: (file: Subject) => void }) {
  const [problem, setProblem] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const open = async (file: File) => {
    try {
      const text = await file.text();
      onOpen({ name: nameOf(text), source: text });
      setProblem(null);
    } catch (error) {
      setProblem(`${file.name} cannot be checked: ${(error as Error).message}.`);
    }
  };
  return (
    <div className="grid justify-items-start gap-4">
      {problem !== null && <Notice tone="bad" urgent text={problem} />}
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Saved proof"
        onChange={({ target: { files } }) => files?.[0] && void open(files[0])}
        // Choosing the same file again must check it again.
        onClick={(event) => Object.assign(event.currentTarget, { value: '' })}
      />
      <Button
        text={`Open a file (${PROOF_FILE_SUFFIX} or ${notes.REFUSAL_FILE_SUFFIX})`}
        onClick={() => input.current?.click()}
      />
    </div>
  );
}

/** Throws InvalidNote. */
const nameOf = (text: string): string =>
  notes.isSignedRefusal(text)
    ? `A saved refusal: ${refusalName(notes.parseSignedRefusal(text).late)}`
    : `A saved proof of event ${numberText(parseProofFile(text).index + 1)}`;

function RememberedLedger() {
  const { key, head, receipts, alarm } = useStore(ledgerMemory);
  const last = useStore(lastCheck);
  const witnessesQuery = { queryKey: ['newest-witnesses'], queryFn: newestWitnesses, staleTime: 0 };
  const { data: witnesses } = useQuery({ ...witnessesQuery, refetchInterval: 10_000 });
  const forget = () => ledgerMemory.update((memory) => ({ ...memory, receipts: [], refusals: [] }));
  if (key === null || head === null)
    return <p className="empty">Nothing yet: the first comparison comes a few seconds after the page was opened.</p>;
  const proved = receipts.filter(({ isProved }) => isProved).length;
  const rows: PairRow[] = [
    ['Signed head of the last comparison', counted(parseSignedHead(head).size, 'event')],
    ['Witnesses', witnesses ?? 'Not known yet.'],
    ['Last comparison', alarm === null ? last : 'Paused until you have decided about the warning above.'],
    ['Public key', key, 'code'],
    [
      'Receipts',
      receipts.length === 0 ? 'none' : `${counted(receipts.length, 'receipt')}, ${proved} found in the ledger`,
    ],
  ];
  return (
    <>
      <Pairs className="alarm-words" rows={rows} />
      <p className="t14 dim mb-3">
        Whoever uses this browser can read the receipts and open their events, also after you log out.
      </p>
      {receipts.length > 0 && <Button kind="danger sm" text="Forget the receipts" onClick={forget} />}
    </>
  );
}
