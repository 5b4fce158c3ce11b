import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type * as http from '../../../../contracts/http/audit.js';
import { reasonOf, useCommand } from '../../shared/api/api-client.js';
import { sessionQuery } from '../../shared/session.queries.js';
import { Act } from '../../shared/ui/act.js';
import { AuthLink, EnrolFirst, SessionFailure } from '../../shared/ui/needs-session.js';
import { LoadFailure, Loading, QueryResult } from '../../shared/ui/query-result.js';
import { Table } from '../../shared/ui/table.js';
import { AsOfPanel, useAsOf, useRequestedNumber } from './as-of-panel.js';
import { isForbidden, useRounds, useTrialBalance, useVerification } from './audit.queries.js';
import { accountName, amountText, CheckLine, describeVerification, SumRow } from './audit-parts.js';
import { EventDetail } from './event-detail.js';
import { LedgerSection } from './ledger-section.js';
import { StatementSection } from './statement-section.js';
import './audit.css';
import './audit-ledger.css';
import { Check, CircleAlert, CircleDashed } from 'lucide-react';
import { useServerNow } from '../../shared/clock.js';
import { numberText } from '../../shared/format.js';
import { Button, PageLink } from '../../shared/ui/controls.js';
import { toastProblem } from '../../shared/ui/toasts.js';

/** From this width on, the event's detail is next to the ledger; on narrower screens it is below. */
const WIDE_SCREEN = '(width >= 68.75em)';

export default function AuditScreens() {
  const { data: session, isError, refetch } = useQuery(sessionQuery);
  if (session === undefined && isError) return <SessionFailure onRetry={refetch} />;
  if (session === undefined) return <Loading label="Loading the ledger" rows={8} />;
  if (!session.isAuthenticated) return <LogInFirst />;
  if (session.needsSecondFactor) return <EnrolFirst heading="h1" />;
  return session.role === 'auditor' || session.role === 'admin' ? <Ledger /> : <AuditForbidden />;
}

const LogInFirst = () => (
  <div className="simple">
    <h1 className="h2">The audit screens are for auditors</h1>
    <p className="dim">Please log in as one, or as the admin. You then come back to this page.</p>
    <AuthLink form="login" text="Go to the login" className="btn btn--act" />
  </div>
);

const AuditForbidden = () => (
  <div className="simple">
    <h1 className="h2">Auditor access required</h1>
    <p className="dim">This page is for auditors and the admin only. You can still play the game.</p>
    <PageLink className="btn btn--act" to="/" text="Go to the game" />
  </div>
);

function Ledger() {
  const requested = useRequestedNumber();
  const isFollowing = requested === null;
  const { data, error, isPending, refetch } = useRounds(isFollowing);
  // A link may point to an event that is newer than the loaded end of the ledger.
  const isBeyondEnd = requested !== null && data !== undefined && requested > data.lastNumber;
  // Returning to now refetches at once, too, instead of at the next poll.
  useEffect(() => {
    if (isBeyondEnd || isFollowing) void refetch({ cancelRefetch: false });
  }, [isBeyondEnd, isFollowing, refetch]);
  if (isForbidden(error)) return <AuditForbidden />;
  const hasEvents = data !== undefined && data.lastNumber > 0;
  return (
    <>
      {!hasEvents && <h1 className="sr">Audit</h1>}
      <Verification />
      {isPending && <Loading label="Loading the ledger" rows={8} />}
      {!isPending && data === undefined && <LoadFailure text="The ledger could not be loaded" onRetry={refetch} />}
      {data?.lastNumber === 0 && <p className="empty">Nothing has happened yet: the ledger has no events.</p>}
      {hasEvents && <Screens rounds={data} requested={requested} />}
    </>
  );
}

function Screens({ rounds, requested }: { rounds: http.AuditRoundsResponse; requested: number | null }) {
  const asOf = useAsOf(requested, rounds.lastNumber);
  const trialBalance = useTrialBalance(asOf.number);
  const [focusOn, setFocusOn] = useState<number | null>(null);
  const onFocused = useCallback(() => setFocusOn(null), []);
  const openEvent = (number: number) => {
    asOf.choose(number);
    setFocusOn(number);
  };
  return (
    <>
      <AsOfPanel rounds={rounds} trialBalance={trialBalance.data} asOf={asOf} />
      <div className="ledger-grid">
        <LedgerSection
          lastNumber={rounds.lastNumber}
          asOf={asOf}
          onChoose={(number) => (window.matchMedia(WIDE_SCREEN).matches ? asOf.choose(number) : openEvent(number))}
        />
        <EventDetail number={asOf.number} focusOn={focusOn} onFocused={onFocused} />
      </div>
      <div>
        <QueryResult query={trialBalance} noun="accounts" rows={11}>
          {(data) => <TrialBalance {...data} />}
        </QueryResult>
      </div>
      <StatementSection onChoose={openEvent} />
    </>
  );
}

const TrialBalance = ({ accounts, sumCents }: http.AuditTrialBalance) => (
  <Act
    title="Every account as of that event"
    lead="Money only moves between accounts, so the column must add up to zero."
  >
    <Table
      className="tbl"
      caption="Every account as of that event"
      columns={['Account', 'Dollars']}
      right={1}
      foot={<SumRow sumCents={sumCents} />}
    >
      {accounts.map(({ account, cents }) => (
        <tr key={account}>
          <td>{accountName(account)}</td>
          <td className={`r num ${account === 'gamers:winnings' ? 'won' : ''}`}>{amountText(cents)}</td>
        </tr>
      ))}
    </Table>
    {sumCents !== 0 && (
      <CheckLine holds={false}>
        <b>The accounts do NOT add up to zero.</b> Money appeared from nowhere, or disappeared.
      </CheckLine>
    )}
  </Act>
);

const icons = { plain: CircleDashed, good: Check, bad: CircleAlert };

function Verification() {
  const { data, isPending, refetch } = useVerification();
  const { send: verify, isBusy } = useCommand<void>('POST', '/api/audit/verification');
  const start = () =>
    verify().catch((error) => toastProblem('Not Verified', reasonOf(error, 'The verification could not be started')));
  const nowMs = useServerNow();
  if (isPending) return <p className="verify">Loading the last verification …</p>;
  if (data === undefined) return <LoadFailure text="The last verification could not be loaded" onRetry={refetch} />;
  const { tone, headline, details, button } = describeVerification(data, nowMs);
  const Icon = icons[tone];
  return (
    <section className="verify" aria-label="Verification">
      <p className="verify-said" role="status">
        <b className={tone === 'bad' ? 'bad' : undefined}>
          <Icon size={18} aria-hidden="true" />
          <span>{headline}</span>
        </b>
        {details.map((detail) => (
          <span key={detail}>{detail}</span>
        ))}
      </p>
      {button !== null && <Button className="linkish" text={button} disabled={isBusy} onClick={() => void start()} />}
      {data.state === 'done' && data.verdict && <Findings {...data.verdict} />}
    </section>
  );
}

function Findings({ findings, findingCount }: http.AuditVerdict) {
  if (findings.length === 0) return null;
  return (
    <div className="findings">
      <ol>
        {findings.map(({ revision, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a verification's findings never change
          <li key={index}>{revision === null ? message : `Event ${numberText(revision + 1)}: ${message}`}</li>
        ))}
      </ol>
      {findingCount > findings.length && <p>{`The first ${findings.length} of ${numberText(findingCount)}.`}</p>}
    </div>
  );
}
