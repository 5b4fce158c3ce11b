import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { AuditEvent } from '../../../../../contracts/http/audit.js';
import { Listed } from '../../../shared/ui/listed.js';
import { useEvent } from '../audit.queries.js';
import { actorText, exactTimeText, numberText } from '../audit-words.js';
import { Hash } from '../hash.js';
import { ChainCheck } from './chain-check.js';
import { JsonDialog } from './json-dialog.js';
import { Postings } from './postings.js';
import { ProofDialog } from './proof-dialog.js';

interface LeafProps {
  number: number;
  /** The event whose leaf was asked for by its row, where that is out of sight: its heading takes the focus. */
  focusOn: number | null;
  onFocused: () => void;
}

/** One event, opened: what it says, what it moves, and its place in the chain. */
export function Leaf({ number, focusOn, onFocused }: LeafProps) {
  const query = useEvent(number);
  const heading = useRef<HTMLHeadingElement>(null);
  const { data, isPlaceholderData } = query;
  const isHere = data !== undefined && !isPlaceholderData;
  useEffect(() => {
    if (!isHere || focusOn !== number) return;
    heading.current?.focus();
    onFocused();
  }, [isHere, focusOn, number, onFocused]);
  return (
    <aside className="leaf" aria-labelledby="audit-leaf">
      <div>
        <p className="label num">Event {numberText(data?.number ?? number)}</p>
        <h2 id="audit-leaf" ref={heading} tabIndex={-1}>
          {data?.type ?? 'One event'}
        </h2>
      </div>
      <Listed query={query} what="event" rows={8}>
        {(event) => <LeafMatter event={event} />}
      </Listed>
    </aside>
  );
}

function LeafMatter({ event }: { event: AuditEvent }) {
  const [open, setOpen] = useState<'json' | 'proof' | null>(null);
  const bind = (own: 'json' | 'proof') => ({
    open: open === own,
    onOpenChange: (isOpen: boolean) => setOpen(isOpen ? own : null),
  });
  return (
    <>
      <Facts event={event} />
      <div>
        <h3>Postings</h3>
        {event.postings.length === 0 ? <p className="t14 dim">It moves no money.</p> : <Postings of={event.postings} />}
      </div>
      <ChainCheck event={event} />
      <div className="actions">
        <button type="button" className="btn btn--line btn--sm" onClick={() => setOpen('json')}>
          Event as JSON
        </button>
        {event.hasProof && (
          <button type="button" className="btn btn--line btn--sm" onClick={() => setOpen('proof')}>
            Merkle proof of round {event.roundId}
          </button>
        )}
      </div>
      <JsonDialog event={event} {...bind('json')} />
      <ProofDialog number={event.number} roundId={event.roundId} {...bind('proof')} />
    </>
  );
}

function Facts({ event }: { event: AuditEvent }) {
  return (
    <dl className="kv">
      <Fact name="Ledger time">{exactTimeText(event.atEpochMs)}</Fact>
      <Fact name="By">{actorText(event.by)}</Fact>
      {event.gamer !== null && event.gamer.id !== event.by.gamer?.id && (
        <Fact name="Gamer">{event.gamer.gamerTag}</Fact>
      )}
      {event.roundId !== null && <Fact name="Round">{numberText(event.roundId)}</Fact>}
      {event.facts.map(({ name, value }) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
      <Fact name="Command">
        <Hash of={event.commandId} />
      </Fact>
    </dl>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);
