import type { ReactNode } from 'react';
import type {
  AdjustRequest,
  MoneyMoved,
  SecondPersonLimitRequest,
  SecondPersonResponse,
  WaitingRequest,
} from '../../../../contracts/http/admin.js';
import { formatCents, formatSignedCents } from '../../../../contracts/money.js';
import { refusalText } from '../../../../contracts/refusals.js';
import { secondPersonText } from '../../../../contracts/second-person-text.js';
import { useApi } from '../../shared/api/use-api.js';
import { centsFromInput, counted, dateTimeText, inputFromCents } from '../../shared/format.js';
import { Button, Field, Form, useFields } from '../../shared/ui/controls.js';
import { QueryResult } from '../../shared/ui/query-result.js';
import { TableHead } from '../../shared/ui/table-head.js';
import { gamersKey, secondPersonKey, toastOf, useAdminCommand, usePower } from './admin.queries.js';
import { PanelHead } from './admin-parts.js';
import { POLLED_EVERY_MS } from './lists/list-queries.js';

/** The money that one person requested and another must confirm, and the limits above which that is so (decision 50). */
export function SecondPersonPanel({ title }: { title: ReactNode }) {
  const query = useApi<SecondPersonResponse>(secondPersonKey, { refetchInterval: POLLED_EVERY_MS });
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
              {secondPersonText({ aboveCents, aboveCentsPerDay })} This holds where two have the power money. You moved{' '}
              {formatCents(aloneTodayCents)} alone today.
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

const RequestsTable = ({ requests }: { requests: readonly WaitingRequest[] }) => (
  <table className="tbl tbl--fold">
    <TableHead columns={['Until', 'Requested by', 'Gamer', 'What', 'Action']} right={1} />
    <tbody>
      {requests.map((request) => (
        <tr key={`${request.kind} ${request.withdrawalId} ${request.gamerId} ${request.until}`}>
          <td data-l="Until" className="num">
            {dateTimeText(request.until)}
          </td>
          <td data-l="Requested by">{request.requestedBy}</td>
          <td data-l="Gamer">{request.gamerTag}</td>
          <td data-l="What">{textOf(request)}</td>
          <td className="do">
            <div className="actions">
              <NextStep request={request} />
            </div>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

function textOf({ kind, amountCents, purchaseCents, winningsCents, reason }: WaitingRequest): string {
  if (kind === 'payout') return `Payout of ${formatCents(amountCents)}`;
  return `Purchase ${formatSignedCents(purchaseCents)}, winnings ${formatSignedCents(winningsCents)}: ${reason}`;
}

/** The second person does the same: an adjustment here, a payout with its transaction among the withdrawals. */
function NextStep({ request }: { request: WaitingRequest }) {
  if (request.isOwn) return <span className="t14 dim">Another person confirms it</span>;
  if (request.kind === 'adjustment') return <ConfirmButton request={request} />;
  return (
    <a className="btn btn--text btn--sm" href="#withdrawals">
      Complete it below
    </a>
  );
}

function ConfirmButton({ request }: { request: WaitingRequest }) {
  const { gamerId, gamerTag, purchaseCents, winningsCents, reason } = request;
  const { run, isBusy } = useAdminCommand<AdjustRequest, MoneyMoved>(
    'POST',
    `mini/gamers/${gamerId}/adjust`,
    'adjust balances',
    gamersKey,
    secondPersonKey,
  );
  const confirm = () =>
    run({ purchaseBalanceCents: purchaseCents, totalWinningsCents: winningsCents, reason: reason ?? '' }, (moved) =>
      toastOf(moved, { title: 'Balances Adjusted', text: `${gamerTag}: two persons did it.` }),
    );
  return (
    <Button
      kind="text sm"
      text="Confirm"
      aria-label={`Confirm for ${gamerTag}: ${textOf(request)}`}
      busy={isBusy && 'Confirming…'}
      onClick={() => void confirm()}
    />
  );
}

/** An empty field means that no amount takes two persons. */
function LimitForm({ limits }: { limits: SecondPersonLimitRequest }) {
  const { values, bind, fail } = useFields({
    above: inputOf(limits.aboveCents),
    perDay: inputOf(limits.aboveCentsPerDay),
  });
  const { run, isBusy } = useAdminCommand<SecondPersonLimitRequest>(
    'PUT',
    'second-person',
    'set the limits',
    secondPersonKey,
  );
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
        label="Two persons above, dollars"
        inputMode="text"
        maxLength={12}
        hint="Of one adjustment or payout. Empty: never."
        {...bind('above')}
      />
      <Field
        label="Two persons above, dollars in a day"
        inputMode="text"
        maxLength={12}
        hint="Of all that one person moves alone. Empty: never. Everybody sees a change in the public record."
        {...bind('perDay')}
      />
      <div>
        <Button type="submit" text="Save limits" busy={isBusy && 'Saving…'} />
      </div>
    </Form>
  );
}

const INVALID = refusalText({ code: 'invalid-second-person-limit' });

const inputOf = (cents: number | null): string => (cents === null ? '' : inputFromCents(cents));

/** Cents; null for an empty field, and undefined for no amount. */
function limitFrom(input: string): number | null | undefined {
  if (input.trim() === '') return null;
  const cents = centsFromInput(input);
  return cents === null || cents < 0 ? undefined : cents;
}
