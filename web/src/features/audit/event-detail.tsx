import { Copy, Download } from 'lucide-react';
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import type { AuditEvent, AuditMerkleProof, AuditPosting } from '../../../../contracts/http/audit.js';
import { saveJson } from '../../shared/files.js';
import { counted, numberText } from '../../shared/format.js';
import type { Recomputed } from '../../shared/ledger/recompute.js';
import { Button } from '../../shared/ui/controls.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { scrollable } from '../../shared/ui/notice.js';
import { QueryResult, TableHead } from '../../shared/ui/query-result.js';
import { copyText } from '../../shared/ui/toasts.js';
import { useEvent, useMerkleProof } from './audit.queries.js';
import { CheckLine, describeActor, exactTimeText, Hash, SumFoot, signedText } from './audit-parts.js';

interface EventDetailProps {
  number: number;
  /** Moves the focus to the heading once this event is loaded, because the detail may be out of sight. */
  focusOn: number | null;
  onFocused: () => void;
}

export function EventDetail({ number, focusOn, onFocused }: EventDetailProps) {
  const query = useEvent(number);
  const heading = useRef<HTMLHeadingElement>(null);
  const { data, isPlaceholderData } = query;
  const isLoaded = data !== undefined && !isPlaceholderData;
  useEffect(() => {
    if (!isLoaded || focusOn !== number) return;
    heading.current?.focus();
    onFocused();
  }, [isLoaded, focusOn, number, onFocused]);
  return (
    <aside className="event-detail" aria-labelledby="audit-event">
      <div>
        <p className="label num">{`Event ${numberText(data?.number ?? number)}`}</p>
        <h2 id="audit-event" ref={heading} tabIndex={-1}>
          {data?.type ?? 'One event'}
        </h2>
      </div>
      <QueryResult query={query} what="event" rows={8}>
        {(event) => <EventBody event={event} />}
      </QueryResult>
    </aside>
  );
}

function EventBody({ event }: { event: AuditEvent & { recomputedChain: Recomputed } }) {
  const [dialog, setDialog] = useState<'json' | 'proof' | null>(null);
  const close = () => setDialog(null);
  return (
    <>
      <Facts event={event} />
      <div>
        <h3>Postings</h3>
        {event.postings.length === 0 ? <p className="t14 dim">It moves no money.</p> : <Postings {...event} />}
      </div>
      <Chain event={event} />
      <div className="actions">
        <Button kind="line sm" text="Event as JSON" onClick={() => setDialog('json')} />
        {event.hasProof && (
          <Button kind="line sm" text={`Merkle proof of round ${event.roundId}`} onClick={() => setDialog('proof')} />
        )}
      </div>
      {dialog === 'json' && <JsonDialog event={event} onClose={close} />}
      {dialog === 'proof' && <ProofDialog event={event} onClose={close} />}
    </>
  );
}

function Facts({ event }: { event: AuditEvent }) {
  const { atEpochMs, by, gamer, roundId, facts, commandId } = event;
  return (
    <Pairs
      rows={[
        ['Ledger time', exactTimeText(atEpochMs)],
        ['By', describeActor(by)],
        ['Gamer', gamer !== null && gamer.id !== by.gamer?.id && gamer.gamerTag],
        ['Round', roundId !== null && numberText(roundId)],
        ...facts.map(({ name, value }) => [name, value] as const),
        ['Command', <Hash key="command" of={commandId} />],
      ]}
    />
  );
}

const Pairs = ({ rows }: { rows: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="kv">
    {rows.map(
      ([name, value]) =>
        value !== false && (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ),
    )}
  </dl>
);

const isWinnings = ({ account, cents }: AuditPosting): boolean => cents > 0 && /^gamer:.*:winnings$/.test(account);

function Postings({ postings }: Pick<AuditEvent, 'postings'>) {
  const sumCents = postings.reduce((sum, { cents }) => sum + cents, 0);
  return (
    <table className="tbl tbl--post">
      <caption className="sr">Postings</caption>
      <TableHead className="sr" columns={['Account', 'Amount']} />
      <tbody>
        {postings.map((posting, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an event's postings never change, and two of them may be equal
          <tr key={index}>
            <td>
              {posting.name}
              <span className="why">{posting.why}</span>
            </td>
            <td className={`r num ${isWinnings(posting) ? 'won' : ''}`}>{signedText(posting.cents)}</td>
          </tr>
        ))}
      </tbody>
      <SumFoot sumCents={sumCents} />
    </table>
  );
}

function Chain({ event }: { event: AuditEvent & { recomputedChain: Recomputed } }) {
  const { before, stored } = event.chain;
  const { hash, where } = event.recomputedChain;
  return (
    <div className="chain">
      <h3>Chain</h3>
      <p>
        <span className="dim">before</span>
        <Hash of={before} />
      </p>
      <p>
        <span className="dim">with this event</span>
        <Hash of={stored} />
      </p>
      {hash === stored ? (
        <CheckLine holds>Recomputed {where}, equal to what was stored.</CheckLine>
      ) : (
        <CheckLine holds={false}>
          <b>Recomputed {where}, NOT equal to what was stored:</b> <Hash of={hash} />. The event, or one before it, is
          not what was written.
        </CheckLine>
      )}
    </div>
  );
}

function JsonDialog({ event, onClose }: { event: AuditEvent; onClose: () => void }) {
  const title = `Event ${numberText(event.number)} as JSON`;
  const text = JSON.stringify(event.recorded, null, 2);
  const copy = () => void copyText(text, 'The event is on the clipboard.');
  const download = () => saveJson(`event-${event.number}.json`, event.recorded);
  return (
    <Dialog onClose={onClose} wide title={title} description="As stored in the log, with its metadata.">
      <pre className="audit-json code" {...scrollable(title)}>
        {text}
      </pre>
      <div className="actions">
        <Button kind="line sm" icon={Copy} text="Copy" onClick={copy} />
        <Button kind="line sm" icon={Download} text="Download" onClick={download} />
      </div>
    </Dialog>
  );
}

const ProofDialog = ({ event: { number, roundId }, onClose }: { event: AuditEvent; onClose: () => void }) => (
  <Dialog
    onClose={onClose}
    wide
    title={`Merkle proof of round ${roundId}`}
    description={`Proves that event ${numberText(number)} is among the purchases whose root was written when the round ended (RFC 6962).`}
  >
    <QueryResult query={useMerkleProof(number)} what="proof" rows={6}>
      {(proof) => <Proof proof={proof} />}
    </QueryResult>
  </Dialog>
);

type RecomputedProof = AuditMerkleProof & { recomputed: Recomputed };

function Proof({ proof }: { proof: RecomputedProof }) {
  const { leafIndex, treeSize, leaf, leafHash, path, root, endedNumber } = proof;
  return (
    <div className="audit-proof">
      <dl className="kv">
        <dt>Purchase</dt>
        <dd>{`${numberText(leafIndex + 1)} of ${counted(treeSize, 'purchase')} of the round`}</dd>
        <dt>Leaf</dt>
        <dd className="code">{leaf}</dd>
        <dt>Its hash</dt>
        <dd className="code">{leafHash}</dd>
      </dl>
      {path.length === 0 ? (
        <p className="t14 dim">The round had one purchase: its hash is the root.</p>
      ) : (
        <div>
          <h3>Path, from the leaf up</h3>
          <ol className="path">
            {path.map(({ side, hash }) => (
              <li key={hash}>
                <span className="dim">{side}</span> <span className="code">{hash}</span>
              </li>
            ))}
          </ol>
        </div>
      )}
      <dl className="kv">
        <dt>Root</dt>
        <dd>
          <span className="code">{root}</span>
          <br />
          <span>{`as event ${numberText(endedNumber)} carries it`}</span>
        </dd>
      </dl>
      <ProofVerdict proof={proof} />
    </div>
  );
}

function ProofVerdict({ proof }: { proof: RecomputedProof }) {
  const { hash, where } = proof.recomputed;
  if (hash === proof.root)
    return <CheckLine holds>Worked out {where}: leaf and path lead to the root that was written.</CheckLine>;
  return (
    <CheckLine holds={false}>
      <b>Worked out {where}, leaf and path do NOT lead to the root that was written, but to</b>{' '}
      <span className="code">{hash}</span>.
    </CheckLine>
  );
}
