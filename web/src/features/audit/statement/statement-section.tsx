import { useState } from 'react';
import type { AuditVerification, StatementResponse } from '../../../../../contracts/http/audit.js';
import { startOfNewYorkDay } from '../../../../../contracts/new-york.js';
import { reasonOf } from '../../../shared/api/api-error.js';
import { serverNow } from '../../../shared/clock/server-clock.js';
import { dayText, shortDayText } from '../../../shared/format/time-text.js';
import { saveFile } from '../../../shared/lists/save-file.js';
import { LoadFailure, Loading } from '../../../shared/ui/notice.js';
import { useStatement, useVerification } from '../audit.queries.js';
import { statementName } from '../audit-words.js';
import { Seal } from './seal.js';
import { statementCsv, statementFileName } from './statement-csv.js';
import { StatementForm } from './statement-form.js';
import { firstStatement } from './statement-rules.js';
import { StatementTable } from './statement-table.js';

/** One account over some days: the sheet that is printed and kept. */
export function StatementSection({ onChoose }: { onChoose: (number: number) => void }) {
  const [asked, setAsked] = useState(() => firstStatement(serverNow()));
  const query = useStatement(asked);
  const { data: verification } = useVerification();
  return (
    <section className="sheet" aria-label="Statement" aria-busy={query.isFetching}>
      <StatementForm asked={asked} onAsk={setAsked} />
      {query.isPending && <Loading label="Loading the statement" rows={5} />}
      {query.isError && (
        <LoadFailure
          text={reasonOf(query.error, 'The statement could not be loaded')}
          onRetry={() => void query.refetch()}
        />
      )}
      {query.data && !query.isError && <Sheet statement={query.data} verification={verification} onChoose={onChoose} />}
    </section>
  );
}

interface SheetProps {
  statement: StatementResponse;
  verification: AuditVerification | undefined;
  onChoose: (number: number) => void;
}

function Sheet({ statement, verification, onChoose }: SheetProps) {
  const { account, gamer, from, to } = statement;
  return (
    <>
      <div className="sheet-h">
        <div>
          <p className="label">Statement</p>
          <h2>{statementName(account, gamer?.gamerTag ?? null)}</h2>
          <p className="t14 dim num">
            {shortDayText(startOfNewYorkDay(from))} to {dayText(startOfNewYorkDay(to))}, New York time
          </p>
        </div>
        <div className="actions">
          <button type="button" className="btn btn--line btn--sm" onClick={() => window.print()}>
            Print
          </button>
          <button
            type="button"
            className="btn btn--line btn--sm"
            onClick={() => saveFile(statementFileName(statement, serverNow()), statementCsv(statement), 'text/csv')}
          >
            Download CSV
          </button>
        </div>
      </div>
      <StatementTable statement={statement} onChoose={onChoose} />
      <Seal statement={statement} verification={verification} />
    </>
  );
}
