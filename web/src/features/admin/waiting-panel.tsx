import type { ReactNode } from 'react';
import { useServerNow } from '../../shared/clock.js';
import { agoText, counted, formatCents } from '../../shared/format.js';
import { column, RowsTable, type TableColumn } from '../../shared/lists/data-table.js';
import { PanelHead } from '../../shared/ui/admin-parts.js';
import { PageLink } from '../../shared/ui/controls.js';
import { LoadFailure, Loading } from '../../shared/ui/notice.js';
import { usePendingDeposits } from '../deposits/payment-lookup.js';
import { unanswered, useTickets } from '../support/tickets-panel.js';
import { useWithdrawals } from '../withdrawals/withdrawals-panel.js';

interface Case {
  createdAt: number;
  gamerTag: string | null;
  text: string;
}

/** The oldest case of a kind, and how many of them wait. */
interface Kind extends Case {
  id: string;
  panel: string;
}

const columns: TableColumn<Kind>[] = [
  column.text('What waits', ({ id }) => id, {
    cell: ({ id, panel }) => <PageLink className="linkish num" to="/admin/$panel" params={{ panel }} text={id} />,
  }),
  column.dateTime('The oldest', ({ createdAt }) => createdAt, { cell: ({ createdAt }) => <Ago sinceMs={createdAt} /> }),
  column.gamer,
  column.text('About', ({ text }) => text, { className: 'said' }),
];

const Ago = ({ sinceMs }: { sinceMs: number }) => agoText(sinceMs, useServerNow(10_000));

export function WaitingPanel({ title }: { title: ReactNode }) {
  const withdrawals = useWithdrawals('pending').query;
  const deposits = usePendingDeposits().query;
  const tickets = useTickets('open').query;
  const queries = [withdrawals, deposits, tickets];
  const failed = queries.find(({ isLoadingError }) => isLoadingError);
  const isLoading = queries.some((query) => query.isLoading);
  const asked = unanswered(tickets.data?.rows ?? []).map((row) => ({
    ...row,
    createdAt: row.messages.at(-1)?.at ?? 0,
    text: row.subject,
  }));
  const payouts = withdrawals.data?.rows.map((row) => ({ ...row, text: amountOf(row) })) ?? [];
  const reviewed = deposits.data?.rows.map((row) => ({ ...row, text: `${amountOf(row)}: ${row.reason}` })) ?? [];
  const ofGamers = reviewed.filter(({ gamerTag }) => gamerTag !== null);
  const unassigned = reviewed.filter(({ gamerTag }) => gamerTag === null);
  const kinds = [
    ...kindOf('tickets', counted(asked.length, 'ticket'), asked.sort(byAge)),
    ...kindOf('deposits', counted(ofGamers.length, 'deposit'), ofGamers),
    ...kindOf('withdrawals', counted(payouts.length, 'payout'), payouts),
    ...kindOf('deposits', `${counted(unassigned.length, 'payment')} without a gamer`, unassigned),
  ].sort(byAge);
  const count = asked.length + payouts.length + reviewed.length;
  const summary = count === 0 ? 'Nothing' : `${counted(count, 'case')}, the longest wait first`;
  return (
    <>
      <PanelHead title={title}>{!failed && !isLoading && summary}</PanelHead>
      {failed && <LoadFailure text="What waits could not be loaded" onRetry={failed.refetch} />}
      {!failed && isLoading && <Loading label="Loading what waits" rows={3} />}
      {!failed && !isLoading && count === 0 && <p className="empty">No withdrawal, deposit or ticket waits for you.</p>}
      {!failed && !isLoading && count > 0 && <RowsTable name="Waiting for you" columns={columns} rows={kinds} />}
    </>
  );
}

const byAge = (one: Case, other: Case): number => one.createdAt - other.createdAt;

/** @param cases the oldest first */
const kindOf = (panel: string, id: string, [oldest]: readonly Case[]): Kind[] =>
  oldest ? [{ ...oldest, id, panel }] : [];

const amountOf = ({ amountCents, cryptoType }: { amountCents: number; cryptoType: string | null }): string =>
  `${formatCents(amountCents)}${cryptoType === null ? '' : ` in ${cryptoType}`}`;
