import type { AuditVerification, StatementResponse } from '../../../../../contracts/http/audit.js';
import { amountText, fullTimeText, numberText } from '../audit-words.js';
import { CheckLine } from '../check-line.js';
import { Hash } from '../hash.js';

/** What is known of the closing balance: what the tables serve, and the last replay of the log, as far as there is one. */
export function Seal({
  statement,
  verification,
}: {
  statement: StatementResponse;
  verification: AuditVerification | undefined;
}) {
  return (
    <div className="seal">
      <ServedLine {...statement} />
      <VerifiedLine verification={verification} />
    </div>
  );
}

function ServedLine({ servedCents, closingCents }: Pick<StatementResponse, 'servedCents' | 'closingCents'>) {
  if (servedCents === null)
    return <p className="dim">It ends before today: the tables that are served hold what the account has now.</p>;
  if (servedCents === closingCents)
    return (
      <CheckLine holds>
        <b>Matches the tables to the cent.</b> They serve {amountText(servedCents)}.
      </CheckLine>
    );
  return (
    <CheckLine holds={false}>
      <b>Does NOT match the tables:</b> they serve {amountText(servedCents)}.
    </CheckLine>
  );
}

function VerifiedLine({ verification }: { verification: AuditVerification | undefined }) {
  const verdict = verification?.verdict;
  const finishedAt = verification?.state === 'done' ? verification.finishedAtEpochMs : null;
  if (!verdict || finishedAt === null)
    return <p className="dim">The whole log was not replayed on this server lately: see Verification above.</p>;
  if (verdict.findingCount > 0)
    return (
      <CheckLine holds={false}>
        <b>The last replay of the log found what must not be:</b> see Verification above.
      </CheckLine>
    );
  return (
    <CheckLine holds>
      <b>Events 1 to {numberText(verdict.events)} replayed without a finding</b> on {fullTimeText(finishedAt)}; chain at
      the end <Hash of={verdict.chain} />.
    </CheckLine>
  );
}
