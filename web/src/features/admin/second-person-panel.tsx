import type { ReactNode } from 'react';
import type { SecondPersonLimitRequest } from '../../../../contracts/http/admin.js';
import { MAX_ADJUSTMENT_CENTS } from '../../../../contracts/limits.js';
import { formatCents } from '../../../../contracts/money.js';
import { refusalText } from '../../../../contracts/refusals.js';
import { secondPersonText } from '../../../../contracts/second-person-text.js';
import { useCommand } from '../../shared/api/use-command.js';
import { centsFromInput, counted, inputFromCents } from '../../shared/format.js';
import { Button, Field, type FieldProps, Form, useFields } from '../../shared/ui/controls.js';
import { QueryResult } from '../../shared/ui/query-result.js';
import { secondPersonKey, usePower, useSecondPerson } from './admin.queries.js';
import { PanelHead } from './admin-parts.js';
import { RequestsTable } from './second-person-requests.js';

/** The money that one person requested and another must confirm, and the limits above which that is so (decision 50). */
export function SecondPersonPanel({ title }: { title: ReactNode }) {
  const query = useSecondPerson();
  const isAdmin = usePower();
  return (
    <>
      <PanelHead title={title}>{query.data && counted(query.data.requests.length, 'request')}</PanelHead>
      <QueryResult query={query} what="requests">
        {({ requests, aloneTodayCents, aboveCents, aboveCentsPerDay }) => (
          <>
            {requests.length === 0 ? (
              <p className="empty">No money waits for a second person.</p>
            ) : (
              <RequestsTable requests={requests} />
            )}
            <p className="t14 dim">
              {secondPersonText({ aboveCents, aboveCentsPerDay })} This applies once two persons have the power Money.
              You moved {formatCents(aloneTodayCents)} alone today.
            </p>
            {isAdmin && (
              <LimitForm key={`${aboveCents} ${aboveCentsPerDay}`} limits={{ aboveCents, aboveCentsPerDay }} />
            )}
          </>
        )}
      </QueryResult>
    </>
  );
}

function LimitForm({ limits }: { limits: SecondPersonLimitRequest }) {
  const { values, bind, fail } = useFields({
    above: inputOf(limits.aboveCents),
    perDay: inputOf(limits.aboveCentsPerDay),
  });
  const { run, isBusy } = useCommand<SecondPersonLimitRequest>('PUT', '/api/admin/second-person', {
    what: 'set the limits',
    reloads: [secondPersonKey],
  });
  const save = () => {
    const [aboveCents, aboveCentsPerDay] = [limitFrom(values.above), limitFrom(values.perDay)];
    if (aboveCents === undefined) return fail('Invalid Form', { above: INVALID });
    if (aboveCentsPerDay === undefined) return fail('Invalid Form', { perDay: INVALID });
    const wanted = { aboveCents, aboveCentsPerDay };
    return run(wanted, { title: 'Limits Saved', text: secondPersonText(wanted) });
  };
  return (
    <Form className="grid items-start gap-3 sm:grid-cols-2" label="Limits of one person" onSubmit={save}>
      <Field
        {...dollars}
        label="Second person above"
        hint="For one adjustment or payout. Empty means no limit."
        {...bind('above')}
      />
      <Field
        {...dollars}
        label="Second person above, in a day"
        hint="For all that one person moves alone. Empty means no limit. Everybody sees a change in the public record."
        {...bind('perDay')}
      />
      <div>
        <Button type="submit" text="Save limits" busy={isBusy && 'Saving…'} />
      </div>
    </Form>
  );
}

const dollars: Partial<FieldProps> = { inputMode: 'decimal', suffix: 'USD', placeholder: 'No limit', maxLength: 12 };

const INVALID = refusalText({ code: 'invalid-second-person-limit' });

const inputOf = (cents: number | null): string => (cents === null ? '' : inputFromCents(cents));

/** Cents; null for an empty field, and undefined for an amount that no limit can have. */
function limitFrom(input: string): number | null | undefined {
  if (input.trim() === '') return null;
  const cents = centsFromInput(input);
  return cents === null || cents < 0 || cents > MAX_ADJUSTMENT_CENTS ? undefined : cents;
}
