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
import { useApi } from '../../shared/api/use-api.js';
import { centsFromInput, counted, dateTimeText, inputFromCents } from '../../shared/format.js';
import { Button, Field, Form, useFields } from '../../shared/ui/controls.js';
import { QueryResult } from '../../shared/ui/query-result.js';
import { TableHead } from '../../shared/ui/table-head.js';
import { gamersKey, secondPersonKey, toastOf, useAdminCommand, usePower } from './admin.queries.js';
import { PanelHead } from './admin-parts.js';
import { POLLED_EVERY_MS } from './lists/list-queries.js';

/** The money that one person requested and another must confirm, and the limit above which that is so (decision 50). */
export function SecondPersonPanel({ title }: { title: ReactNode }) {
  const query = useApi<SecondPersonResponse>(secondPersonKey, { refetchInterval: POLLED_EVERY_MS });
  const isAdmin = usePower();
  return (
    <>
      <PanelHead title={title}>{query.data && counted(query.data.requests.length, 'request')}</PanelHead>
      <QueryResult query={query} what="requests">
        {({ aboveCents, requests }) => (
          <>
            {requests.length === 0 ? (
              <p className="empty">No money waits for a second person.</p>
            ) : (
              <RequestsTable requests={requests} />
            )}
            {isAdmin ? (
              <LimitForm key={aboveCents} aboveCents={aboveCents} />
            ) : (
              <p className="t14 dim">{limitText(aboveCents)}</p>
            )}
          </>
        )}
      </QueryResult>
    </>
  );
}

const limitText = (aboveCents: number | null): string =>
  aboveCents === null
    ? 'No amount takes two persons.'
    : `Adjustments and payouts above ${formatCents(aboveCents)} take two persons, where two have the power money.`;

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
function LimitForm({ aboveCents }: { aboveCents: number | null }) {
  const { values, bind, fail } = useFields({ above: aboveCents === null ? '' : inputFromCents(aboveCents) });
  const { run, isBusy } = useAdminCommand<SecondPersonLimitRequest>(
    'PUT',
    'second-person',
    'set the limit',
    secondPersonKey,
  );
  const save = () => {
    const cents = values.above.trim() === '' ? null : centsFromInput(values.above);
    if (values.above.trim() !== '' && (cents === null || cents < 0))
      return fail('Invalid Form', { above: refusalText({ code: 'invalid-second-person-limit' }) });
    return run({ aboveCents: cents }, { title: 'Limit Saved', text: limitText(cents) });
  };
  return (
    <Form className="flex flex-wrap items-end gap-3" label="Limit of one person" onSubmit={save}>
      <Field
        label="Two persons above, dollars"
        inputMode="text"
        maxLength={12}
        hint="Empty: never. Only where two have the power money. Everybody sees a change in the public record."
        {...bind('above')}
      />
      <Button type="submit" text="Save limit" busy={isBusy && 'Saving…'} />
    </Form>
  );
}
