import { type ReactNode, useState } from 'react';
import type { PendingDeposit } from '../../../../contracts/http/deposits.js';
import type { AdminTicket } from '../../../../contracts/http/support.js';
import type { Withdrawal } from '../../../../contracts/http/withdrawals.js';
import { formatCents } from '../../../../contracts/money.js';
import { useServerNow } from '../../shared/clock.js';
import { agoText, counted, numberText } from '../../shared/format.js';
import { GamerName } from '../../shared/lists/data-table.js';
import { PanelHead } from '../../shared/ui/admin-parts.js';
import { Button } from '../../shared/ui/controls.js';
import { LoadFailure, Loading } from '../../shared/ui/notice.js';
import { TableHead } from '../../shared/ui/query-result.js';
import { usePendingDeposits } from '../deposits/deposit-queries.js';
import { ApproveDialog } from '../deposits/deposits-panel.js';
import { TicketDialog, useTickets } from '../support/tickets-panel.js';
import { SettleDialog, useWithdrawals } from '../withdrawals/withdrawals-panel.js';

const SHOWN = 8;

type Waiting =
  | { kind: 'withdrawal'; row: Withdrawal }
  | { kind: 'deposit'; row: PendingDeposit }
  | { kind: 'ticket'; row: AdminTicket };

export function WaitingPanel({ title }: { title: ReactNode }) {
  const withdrawals = useWithdrawals('pending').query;
  const deposits = usePendingDeposits().query;
  const tickets = useTickets('open').query;
  const [opened, setOpened] = useState<Waiting | null>(null);
  const queries = [withdrawals, deposits, tickets];
  const failed = queries.find(({ isLoadingError }) => isLoadingError);
  if (failed) {
    return (
      <>
        {title}
        <LoadFailure text="What waits could not be loaded" onRetry={failed.refetch} />
      </>
    );
  }
  if (queries.some(({ isLoading }) => isLoading)) {
    return (
      <>
        {title}
        <Loading label="Loading what waits" rows={3} />
      </>
    );
  }
  const waiting: Waiting[] = [
    ...(withdrawals.data?.rows ?? []).map((row) => ({ kind: 'withdrawal', row }) as const),
    ...(deposits.data?.rows ?? []).map((row) => ({ kind: 'deposit', row }) as const),
    ...(tickets.data?.rows ?? []).map((row) => ({ kind: 'ticket', row }) as const),
  ].sort((a, b) => a.row.createdAt - b.row.createdAt);
  return (
    <>
      <PanelHead title={title}>{summaryOf(waiting.length)}</PanelHead>
      {waiting.length === 0 ? (
        <p className="empty">No withdrawal, deposit or ticket waits for you.</p>
      ) : (
        <WaitingTable waiting={waiting.slice(0, SHOWN)} onOpen={setOpened} />
      )}
      {waiting.length > SHOWN && <p className="t14 dim">{moreText(waiting.length - SHOWN)}</p>}
      {opened !== null && <WaitingDialog waiting={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

const moreText = (count: number): string =>
  count === 1 ? 'One more is in the lists below.' : `${numberText(count)} more are in the lists below.`;

const summaryOf = (count: number): string =>
  count === 0 ? 'Nothing' : `${counted(count, 'case')}, the longest wait first`;

function WaitingTable({ waiting, onOpen }: { waiting: readonly Waiting[]; onOpen: (waiting: Waiting) => void }) {
  const now = useServerNow(60_000);
  return (
    <table className="tbl tbl--fold">
      <TableHead columns={['Waiting since', 'Gamer', 'What', 'Action']} right={1} />
      <tbody>
        {waiting.map((one) => (
          <tr key={`${one.kind} ${one.row.id}`}>
            <td data-l="Waiting since" className="num">
              {agoText(one.row.createdAt, now)}
            </td>
            <td data-l="Gamer">
              <GamerName gamerTag={one.row.gamerTag} />
            </td>
            <td data-l="What" className="said">
              {textOf(one)}
            </td>
            <td className="do">
              <div className="actions">
                <NextStep waiting={one} onOpen={() => onOpen(one)} />
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function textOf(waiting: Waiting): string {
  switch (waiting.kind) {
    case 'withdrawal':
      return `Withdrawal of ${amountOf(waiting.row)}`;
    case 'deposit':
      return `Deposit of ${amountOf(waiting.row)}: ${waiting.row.reason}`;
    case 'ticket':
      return `Ticket: ${waiting.row.subject}`;
  }
}

const amountOf = ({ amountCents, cryptoType }: { amountCents: number; cryptoType: string | null }): string =>
  `${formatCents(amountCents)}${cryptoType === null ? '' : ` in ${cryptoType}`}`;

const verbs = { withdrawal: 'Update', deposit: 'Approve', ticket: 'Answer' } as const;

/** A payment without a gamer is assigned by a lookup, in its panel. */
function NextStep({ waiting, onOpen }: { waiting: Waiting; onOpen: () => void }) {
  const { kind, row } = waiting;
  if (row.gamerTag === null) {
    return (
      <a className="btn btn--text btn--sm" href="#deposits">
        Assign below
      </a>
    );
  }
  const label = `${verbs[kind]}, first in the queue: ${row.gamerTag}, ${textOf(waiting)}`;
  return <Button kind="text sm" text={verbs[kind]} aria-label={label} onClick={onOpen} />;
}

function WaitingDialog({ waiting: { kind, row }, onClose }: { waiting: Waiting; onClose: () => void }) {
  if (kind === 'withdrawal') return <SettleDialog withdrawal={row} gamerTag={row.gamerTag} onClose={onClose} />;
  if (kind === 'deposit') return <ApproveDialog deposit={row} onClose={onClose} />;
  return <TicketDialog ticket={row} onClose={onClose} />;
}
