import { useState } from 'react';
import type { AdjustRequest, MoneyMoved, WaitingRequest } from '../../../../contracts/http/admin.js';
import { useCommand } from '../../shared/api/use-command.js';
import { dateTimeText } from '../../shared/format.js';
import { useSession } from '../../shared/session.queries.js';
import { Button, Sum } from '../../shared/ui/controls.js';
import { TableHead } from '../../shared/ui/query-result.js';
import { gamersKey, secondPersonKey, toastOf } from './admin.queries.js';
import { ConfirmDialog } from './admin-parts.js';
import { canConfirm, describeRequest } from './second-person-rules.js';

export function RequestsTable({ requests }: { requests: readonly WaitingRequest[] }) {
  const [opened, setOpened] = useState<WaitingRequest | null>(null);
  return (
    <>
      <table className="tbl tbl--fold">
        <TableHead columns={['Lapses', 'Requested by', 'Gamer', 'What', 'Action']} right={1} />
        <tbody>
          {requests.map((request) => (
            <tr key={`${request.kind} ${request.withdrawalId} ${request.gamerId} ${request.until}`}>
              <td data-l="Lapses" className="num">
                {dateTimeText(request.until)}
              </td>
              <td data-l="Requested by">{request.requestedBy}</td>
              <td data-l="Gamer">{request.gamerTag}</td>
              <td data-l="What" className="said">
                {textOf(request)}
              </td>
              <td className="do">
                <div className="actions">
                  <NextStep request={request} onOpen={() => setOpened(request)} />
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {opened !== null && <ConfirmAdjustmentDialog request={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

const textOf = (request: WaitingRequest): string =>
  request.reason === null ? describeRequest(request) : `${describeRequest(request)}: ${request.reason}`;

function NextStep({ request, onOpen }: { request: WaitingRequest; onOpen: () => void }) {
  const session = useSession();
  if (!canConfirm(request, session?.id)) return <span className="t14 dim">Another person confirms it</span>;
  if (request.kind === 'adjustment') {
    const label = `Confirm for ${request.gamerTag}: ${textOf(request)}`;
    return <Button kind="text sm" text="Confirm" aria-label={label} onClick={onOpen} />;
  }
  return (
    <a className="btn btn--text btn--sm" href="#withdrawals">
      Go to Withdrawals
    </a>
  );
}

/** Asks before the second person's act, which moves the money. */
export function ConfirmAdjustmentDialog({ request, onClose }: { request: WaitingRequest; onClose: () => void }) {
  const { gamerId, gamerTag, purchaseCents, winningsCents, reason, requestedBy, until } = request;
  const { run } = useCommand<AdjustRequest, MoneyMoved>('POST', `/api/admin/mini/gamers/${gamerId}/adjust`, {
    what: 'adjust balances',
    reloads: [gamersKey, secondPersonKey],
  });
  const confirm = () =>
    run({ purchaseBalanceCents: purchaseCents, totalWinningsCents: winningsCents, reason: reason ?? '' }, (moved) =>
      toastOf(moved, { title: 'Balances Adjusted', text: `${gamerTag}: two persons did it.` }),
    );
  return (
    <ConfirmDialog
      title={`Adjust the balances of ${gamerTag}?`}
      description="You are the second person. The money moves at once, and the ledger keeps both names. Without a second person the request lapses."
      labels={{ cancel: 'Leave it waiting', confirm: 'Adjust balances', busy: 'Adjusting…' }}
      tone="act"
      onClose={onClose}
      onConfirm={confirm}
    >
      <Sum
        rows={[
          ['Change', describeRequest(request), 'total'],
          ['Requested by', requestedBy],
          ['Lapses', dateTimeText(until)],
        ]}
      />
      <p className="[overflow-wrap:anywhere]">
        Reason: <q>{reason}</q>
      </p>
    </ConfirmDialog>
  );
}
