import { type ReactNode, useState } from 'react';
import { useServerNow } from '../../shared/clock.js';
import { agoText, counted, formatCents, numberText } from '../../shared/format.js';
import { GamerName } from '../../shared/lists/data-table.js';
import { PanelHead } from '../../shared/ui/admin-parts.js';
import { Button, PageLink } from '../../shared/ui/controls.js';
import { LoadFailure, Loading } from '../../shared/ui/notice.js';
import { TableHead } from '../../shared/ui/query-result.js';
import { DecideDialog } from '../deposits/deposits-panel.js';
import { usePendingDeposits } from '../deposits/payment-lookup.js';
import { TicketDialog, useTickets } from '../support/tickets-panel.js';
import { SettleDialog, useWithdrawals } from '../withdrawals/withdrawals-panel.js';

const SHOWN = 8;

type Case = { id: string; createdAt: number; gamerTag: string | null; text: string; verb: string; dialog: ReactNode };

export function WaitingPanel({ title }: { title: ReactNode }) {
  const withdrawals = useWithdrawals('pending').query;
  const deposits = usePendingDeposits().query;
  const tickets = useTickets('open').query;
  const [opened, setOpened] = useState<ReactNode>(null);
  const queries = [withdrawals, deposits, tickets];
  const failed = queries.find(({ isLoadingError }) => isLoadingError);
  const isLoading = queries.some((query) => query.isLoading);
  const onClose = () => setOpened(null);
  const cases: Case[] = [
    ...(withdrawals.data?.rows ?? []).map((row) => ({
      ...row,
      text: `Withdrawal of ${amountOf(row)}`,
      verb: 'Update',
      dialog: <SettleDialog withdrawal={row} gamerTag={row.gamerTag} onClose={onClose} />,
    })),
    ...(deposits.data?.rows ?? []).map((row) => ({
      ...row,
      text: `Deposit of ${amountOf(row)}: ${row.reason}`,
      verb: 'Approve',
      dialog: <DecideDialog deposit={row} verdict="approve" onClose={onClose} />,
    })),
    ...(tickets.data?.rows ?? []).map((row) => ({
      ...row,
      text: `Ticket: ${row.subject}`,
      verb: 'Answer',
      dialog: <TicketDialog ticket={row} onClose={onClose} />,
    })),
  ].sort((a, b) => a.createdAt - b.createdAt);
  return (
    <>
      <PanelHead title={title}>{!failed && !isLoading && summaryOf(cases.length)}</PanelHead>
      {failed && <LoadFailure text="What waits could not be loaded" onRetry={failed.refetch} />}
      {!failed && isLoading && <Loading label="Loading what waits" rows={3} />}
      {!failed && !isLoading && <Cases cases={cases} onOpen={setOpened} />}
      {opened}
    </>
  );
}

const amountOf = ({ amountCents, cryptoType }: { amountCents: number; cryptoType: string | null }): string =>
  `${formatCents(amountCents)}${cryptoType === null ? '' : ` in ${cryptoType}`}`;

const summaryOf = (count: number): string =>
  count === 0 ? 'Nothing' : `${counted(count, 'case')}, the longest wait first`;

function Cases({ cases, onOpen }: { cases: readonly Case[]; onOpen: (dialog: ReactNode) => void }) {
  const now = useServerNow(60_000);
  const more = cases.length - SHOWN;
  if (cases.length === 0) return <p className="empty">No withdrawal, deposit or ticket waits for you.</p>;
  return (
    <>
      <table className="tbl tbl--fold">
        <TableHead columns={['Waiting since', 'Gamer', 'What', 'Action']} right={1} />
        <tbody>
          {cases.slice(0, SHOWN).map(({ id, createdAt, gamerTag, text, verb, dialog }) => (
            <tr key={id}>
              <td data-l="Waiting since" className="num">
                {agoText(createdAt, now)}
              </td>
              <td data-l="Gamer">
                <GamerName gamerTag={gamerTag} />
              </td>
              <td data-l="What" className="said">
                {text}
              </td>
              <td className="do">
                <div className="actions">
                  {gamerTag === null ? (
                    // A payment without a gamer is assigned by a lookup, in its panel.
                    <PageLink
                      className="btn btn--text btn--sm"
                      to="/admin/$panel"
                      params={{ panel: 'deposits' }}
                      text="Assign"
                    />
                  ) : (
                    <Button
                      kind="text sm"
                      text={verb}
                      aria-label={`${verb}, first in the queue: ${gamerTag}, ${text}`}
                      onClick={() => onOpen(dialog)}
                    />
                  )}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <p className="t14 dim">{`${more === 1 ? 'One more is' : `${numberText(more)} more are`} in the lists below.`}</p>
      )}
    </>
  );
}
