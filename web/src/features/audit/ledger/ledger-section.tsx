import { useState } from 'react';
import { wholeFromInput } from '../../../shared/format/money-input.js';
import { Listed } from '../../../shared/ui/listed.js';
import { LEDGER_ROWS, type LedgerFilters } from '../audit.queries.js';
import { StepButton } from '../moment/step-button.js';
import type { ChosenMoment } from '../moment/use-chosen-moment.js';
import { useSettled } from '../use-settled.js';
import { LedgerFilterFields, NO_FILTERS, type TypedFilters } from './ledger-filter-fields.js';
import { LedgerTable } from './ledger-table.js';
import { useLedgerPage } from './use-ledger-page.js';

const TYPING_RESTS_MS = 300;

interface LedgerSectionProps {
  lastNumber: number;
  chosen: ChosenMoment;
  onChoose: (number: number) => void;
}

/** Every event there is, newest first, and where in them the chosen moment lies. */
export function LedgerSection({ lastNumber, chosen, onChoose }: LedgerSectionProps) {
  const [typed, setTyped] = useState(NO_FILTERS);
  const settled = useSettled(typed, TYPING_RESTS_MS);
  const { query, isFirst, toOlder, toNewer, newerText, toNewest } = useLedgerPage(
    chosen,
    lastNumber,
    filtersOf(settled),
  );
  return (
    <section aria-labelledby="audit-ledger">
      <h2 id="audit-ledger">Ledger</h2>
      <LedgerFilterFields
        typed={typed}
        roundProblem={isRound(typed.round) ? null : 'Rounds are numbered 1, 2, 3 …'}
        onType={setTyped}
      />
      <Listed query={query} what="events" rows={LEDGER_ROWS}>
        {({ events, nextBefore }) =>
          events.length === 0 ? (
            <NothingFound onNewest={toNewer === null ? null : toNewest} />
          ) : (
            <>
              <LedgerTable
                events={events}
                number={chosen.number}
                edges={{ isFirst, isLast: nextBefore === null }}
                onChoose={onChoose}
              />
              <nav className="flex items-center justify-between gap-4" aria-label="Pages of the ledger">
                <StepButton why={toNewer === null ? 'These are the newest' : null} onPress={() => toNewer?.()}>
                  {newerText}
                </StepButton>
                <StepButton why={toOlder === null ? 'These are the oldest' : null} onPress={() => toOlder?.()}>
                  Older
                </StepButton>
              </nav>
            </>
          )
        }
      </Listed>
      <p className="t14 dim pt-3">Paler rows had not happened yet at the chosen moment.</p>
    </section>
  );
}

/** The list ends a little after the chosen moment: what is looked for may have come later. */
function NothingFound({ onNewest }: { onNewest: (() => void) | null }) {
  return (
    <div className="grid justify-items-start gap-4 py-4">
      <p className="dim">
        {onNewest === null ? 'No event is like that.' : 'No event up to the chosen moment is like that.'}
      </p>
      {onNewest !== null && (
        <button type="button" className="btn btn--line btn--sm" onClick={onNewest}>
          Look in the newest
        </button>
      )}
    </div>
  );
}

const isRound = (text: string): boolean => text.trim() === '' || wholeFromInput(text) !== null;

function filtersOf({ find, type, round }: TypedFilters): LedgerFilters {
  const roundId = wholeFromInput(round);
  return {
    ...(find.trim() === '' ? {} : { find: find.trim() }),
    ...(type === '' ? {} : { type }),
    ...(roundId === null ? {} : { roundId }),
  };
}
