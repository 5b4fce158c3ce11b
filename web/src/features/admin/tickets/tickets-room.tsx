import { type ReactNode, useState } from 'react';
import type { AdminTicket } from '../../../../../contracts/http/support.js';
import type { TicketId } from '../../../../../contracts/ids.js';
import { useServerNow } from '../../../shared/clock/use-server-now.js';
import { agoText } from '../../../shared/format/time-text.js';
import { Listed } from '../../../shared/ui/listed.js';
import type { ShownColumn } from '../lists/data-table.js';
import { ListTable } from '../lists/list-table.js';
import { countText, ListTabs } from '../lists/list-tabs.js';
import { TicketDialog } from './ticket-dialog.js';
import { useTickets, useTicketsSync } from './tickets.queries.js';

const opened: ShownColumn<AdminTicket>[] = [
  { label: 'Opened', kind: 'moment', value: (row) => row.createdAt },
  { label: 'Gamer', kind: 'text', value: (row) => row.gamerTag, cell: (row) => <b>{row.gamerTag}</b> },
  { label: 'Subject', kind: 'text', value: (row) => row.subject },
];
const rest: ShownColumn<AdminTicket>[] = [
  {
    label: 'Status',
    kind: 'text',
    value: (row) => (row.status === 'open' ? 'Open' : 'Closed'),
    cell: (row) => <TicketChip status={row.status} />,
  },
  { label: 'Message', kind: 'text', value: (row) => row.message, exportOnly: true },
  { label: 'Notes', kind: 'text', value: (row) => row.adminNotes, exportOnly: true },
  { label: 'Id', kind: 'text', value: (row) => row.id, exportOnly: true },
];
const openColumns = [...opened, ...rest];
const closedColumns: ShownColumn<AdminTicket>[] = [
  ...opened,
  { label: 'Closed', kind: 'moment', value: (row) => row.resolvedAt },
  ...rest,
];

const TicketChip = ({ status }: { status: AdminTicket['status'] }) =>
  status === 'open' ? <span className="chip chip--half">Open</span> : <span className="chip chip--on">Closed</span>;

export function TicketsRoom({ title }: { title: ReactNode }) {
  useTicketsSync();
  const open = useTickets('open');
  const closed = useTickets('closed');
  const [openId, setOpenId] = useState<TicketId | null>(null);
  const all = [...(open.query.data?.rows ?? []), ...(closed.query.data?.rows ?? [])];
  const actions = (row: AdminTicket) => (
    <button
      type="button"
      className="btn btn--text btn--sm"
      aria-label={`${isOpen(row) ? 'Answer' : 'Read'} ${row.gamerTag}’s ticket: ${row.subject}`}
      onClick={() => setOpenId(row.id)}
    >
      {isOpen(row) ? 'Answer' : 'Read'}
    </button>
  );
  return (
    <>
      <div className="room-h">
        {title}
        {open.query.data && <OpenSummary open={open.query.data} />}
      </div>
      <ListTabs
        label="Support tickets"
        tabs={[
          {
            title: 'Open',
            list: open.query.data,
            content: (
              <Listed query={open.query} what="open tickets">
                {({ rows }) => (
                  <ListTable
                    name="Tickets open"
                    columns={openColumns}
                    rows={rows}
                    empty="Nobody waits for an answer."
                    searchLabel="Search open tickets"
                    actions={actions}
                    older={open.older}
                  />
                )}
              </Listed>
            ),
          },
          {
            title: 'Closed',
            list: closed.query.data,
            content: (
              <Listed query={closed.query} what="closed tickets">
                {({ rows }) => (
                  <ListTable
                    name="Tickets closed"
                    columns={closedColumns}
                    rows={rows}
                    empty="Tickets that are settled will be listed here."
                    searchLabel="Search closed tickets"
                    actions={actions}
                    older={closed.older}
                  />
                )}
              </Listed>
            ),
          },
        ]}
      />
      <TicketDialog ticket={all.find(({ id }) => id === openId) ?? null} onClose={() => setOpenId(null)} />
    </>
  );
}

const isOpen = ({ status }: AdminTicket): boolean => status === 'open';

function OpenSummary({ open }: { open: { rows: readonly AdminTicket[]; isWhole: boolean } }) {
  const now = useServerNow(60_000);
  const oldest = open.rows.at(-1);
  if (oldest === undefined) return <p className="t14 dim">None open</p>;
  return (
    <p className="t14 dim num">
      {countText(open)} open{open.isWhole && `, oldest ${agoText(oldest.createdAt, now).replace('Just', 'just')}`}
    </p>
  );
}
