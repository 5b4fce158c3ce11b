import { type ReactNode, useCallback, useEffect, useState } from 'react';
import type { AuditRoundsResponse } from '../../../../contracts/http/audit.js';
import { Listed } from '../../shared/ui/listed.js';
import { LoadFailure, Loading } from '../../shared/ui/notice.js';
import { isForbidden, useMoment, useRounds } from './audit.queries.js';
import { AccountsSection } from './books/accounts-section.js';
import { Leaf } from './leaf/leaf.js';
import { LedgerSection } from './ledger/ledger-section.js';
import { MomentPanel } from './moment/moment-panel.js';
import { useAskedNumber, useChosenMoment } from './moment/use-chosen-moment.js';
import { StatementSection } from './statement/statement-section.js';
import { VerifyStrip } from './verification/verify-strip.js';
import './audit.css';
import './audit-ledger.css';

/** Narrower, the leaf stands below the ledger. */
const BESIDE = '(min-width: 1100px)';

/** The books, for who may read them; `forbidden` is what is shown to somebody whose role was taken away meanwhile. */
export function AuditDesk({ forbidden }: { forbidden: ReactNode }) {
  const asked = useAskedNumber();
  const isFollowing = asked === null;
  const { data, error, isPending, refetch } = useRounds(isFollowing);
  // A link, or a row of the ledger, may lead beyond what was the end when it was asked for.
  const isBeyond = asked !== null && data !== undefined && asked > data.lastNumber;
  useEffect(() => {
    if (isBeyond) void refetch();
  }, [isBeyond, refetch]);
  // Who comes back to now is not kept waiting for the clock.
  useEffect(() => {
    if (isFollowing) void refetch({ cancelRefetch: false });
  }, [isFollowing, refetch]);
  if (isForbidden(error)) return forbidden;
  const hasBooks = data !== undefined && data.lastNumber > 0;
  return (
    <>
      {!hasBooks && <h1 className="sr">Audit</h1>}
      <VerifyStrip />
      {isPending && <Loading label="Loading the books" rows={8} />}
      {!isPending && data === undefined && (
        <LoadFailure text="The books could not be loaded" onRetry={() => void refetch()} />
      )}
      {data?.lastNumber === 0 && <p className="empty">Nothing has happened yet: the ledger has no event.</p>}
      {hasBooks && <Books rounds={data} asked={asked} />}
    </>
  );
}

function Books({ rounds, asked }: { rounds: AuditRoundsResponse; asked: number | null }) {
  const chosen = useChosenMoment(asked, rounds.lastNumber);
  const moment = useMoment(chosen.number);
  const [focusOn, setFocusOn] = useState<number | null>(null);
  const onFocused = useCallback(() => setFocusOn(null), []);
  const open = (number: number) => {
    chosen.choose(number);
    setFocusOn(number);
  };
  return (
    <>
      <MomentPanel rounds={rounds} moment={moment.data} chosen={chosen} />
      <div className="books">
        <LedgerSection
          lastNumber={rounds.lastNumber}
          chosen={chosen}
          onChoose={(number) => (window.matchMedia(BESIDE).matches ? chosen.choose(number) : open(number))}
        />
        <Leaf number={chosen.number} focusOn={focusOn} onFocused={onFocused} />
      </div>
      <div>
        <Listed query={moment} what="accounts" rows={11}>
          {(books) => <AccountsSection moment={books} />}
        </Listed>
      </div>
      <StatementSection onChoose={open} />
    </>
  );
}
