import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { AuditEvent, AuditPosting } from '../../../../contracts/http/audit.js';
import { typeText } from '../../../../contracts/words.js';
import { saveJson } from '../../shared/files.js';
import { numberText } from '../../shared/format.js';
import { useSession } from '../../shared/session.queries.js';
import { Button, PageLink, type PairRow, Pairs, VerifyLink } from '../../shared/ui/controls.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { QueryResult } from '../../shared/ui/query-result.js';
import { scrollable, Table } from '../../shared/ui/table.js';
import { useEvent } from './audit.queries.js';
import { CheckLine, describeActor, exactTimeText, Hash, SumRow, signedText } from './audit-parts.js';

type RecomputedEvent = NonNullable<ReturnType<typeof useEvent>['data']>;

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
          {data === undefined ? 'One event' : typeText(data.type)} <span className="t14 dim">{data?.type}</span>
        </h2>
        <p>{data?.summary}</p>
      </div>
      <QueryResult query={query} noun="event" rows={8}>
        {(event) => <EventBody event={event} />}
      </QueryResult>
    </aside>
  );
}

function EventBody({ event }: { event: RecomputedEvent }) {
  const [isJsonOpen, setJsonOpen] = useState(false);
  const isAdmin = useSession()?.role === 'admin';
  const { gamer } = event;
  return (
    <>
      <Facts event={event} />
      <div>
        <h3>Postings</h3>
        {event.postings.length === 0 ? <p className="t14 dim">It moves no money.</p> : <Postings {...event} />}
      </div>
      <Chain event={event} />
      <div className="actions">
        <Button kind="line sm" text="Event as JSON" onClick={() => setJsonOpen(true)} />
        <VerifyLink
          className="btn btn--line btn--sm"
          search={{ event: `${event.number}`, id: event.id }}
          text="Check the proof"
        />
        {isAdmin && gamer && (
          <PageLink
            className="btn btn--line btn--sm"
            to="/admin/gamers/$gamerId"
            params={{ gamerId: gamer.id }}
            text={`Page of ${gamer.gamerTag}`}
          />
        )}
      </div>
      {isJsonOpen && <JsonDialog event={event} onClose={() => setJsonOpen(false)} />}
    </>
  );
}

function Facts({ event }: { event: AuditEvent }) {
  const { atMs, by, gamer, roundId, fields, commandId } = event;
  const rows: PairRow[] = [
    ['Ledger time', exactTimeText(atMs)],
    ['By', describeActor(by)],
    ['Gamer', gamer !== null && gamer.id !== by.gamer?.id && gamer.gamerTag],
    ['Round', roundId !== null && numberText(roundId)],
    ...fields.map(({ name, value }) => [name, value] as const),
    ['Command', <Hash key="command" of={commandId} />],
  ];
  return <Pairs className="kv" rows={rows} />;
}

const isWinnings = ({ account, cents }: AuditPosting): boolean => cents > 0 && /^gamer:.*:winnings$/.test(account);

function Postings({ postings }: Pick<AuditEvent, 'postings'>) {
  const sumCents = postings.reduce((sum, { cents }) => sum + cents, 0);
  return (
    <Table
      className="tbl tbl--post"
      headClass="sr"
      caption="Postings"
      columns={['Account', 'Amount']}
      foot={<SumRow sumCents={sumCents} />}
    >
      {postings.map((posting, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an event's postings never change, and two of them may be equal
        <tr key={index}>
          <td>
            {posting.name}
            <span className="why">{posting.reason}</span>
          </td>
          <td className={`r num ${isWinnings(posting) ? 'won' : ''}`}>{signedText(posting.cents)}</td>
        </tr>
      ))}
    </Table>
  );
}

function Chain({ event }: { event: RecomputedEvent }) {
  const { before, stored } = event.chain;
  const hash = event.recomputedChain;
  const where = event.isRecomputedHere ? 'here' : 'on the server';
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
  const download = () => saveJson(`event-${event.number}.json`, event.recorded);
  return (
    <Dialog onClose={onClose} wide title={title} description="As stored in the log, with its metadata.">
      <pre className="audit-json code" {...scrollable(title)}>
        {text}
      </pre>
      <div className="actions">
        <Button kind="line sm" icon={Download} text="Download" onClick={download} />
      </div>
    </Dialog>
  );
}
