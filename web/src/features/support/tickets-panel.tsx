import { type ReactNode, useState } from 'react';
import type { AdminTicket, TicketStatus, UpdateTicketRequest } from '../../../../contracts/http/support.js';
import type { GamerId, TicketId } from '../../../../contracts/ids.js';
import { versionOf } from '../../../../contracts/versions.js';
import { useCommand } from '../../shared/api/api-client.js';
import { useServerNow } from '../../shared/clock.js';
import { agoText, numberText } from '../../shared/format.js';
import { column, RowsTable, type TableColumn } from '../../shared/lists/data-table.js';
import { ListTabs, listTab, type NewestRows, useNewestRows } from '../../shared/lists/list-table.js';
import { EditConflict, NotesField, PanelHead, useEdits } from '../../shared/ui/admin-parts.js';
import { Button, Form } from '../../shared/ui/controls.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { QueryResult } from '../../shared/ui/query-result.js';
import { Conversation, statusText } from './conversation.js';
import { TicketContext } from './ticket-context.js';

const isOpen = ({ status }: AdminTicket): boolean => status === 'open';

const columnsWith = (...own: TableColumn<AdminTicket>[]): TableColumn<AdminTicket>[] => [
  column.dateTime('Opened', (row) => row.createdAt),
  column.gamer,
  column.text('Subject', (row) => row.subject),
  ...own,
  column.text<AdminTicket>('Status', statusText, {
    cell: (row) => <span className={`chip chip--${isOpen(row) ? 'half' : 'on'}`}>{statusText(row)}</span>,
  }),
  column.text('Message', (row) => row.message, { exportOnly: true }),
  column.text('Notes', (row) => row.adminNotes, { exportOnly: true }),
  column.id,
];
const openColumns = columnsWith();
const gamerColumns = openColumns.filter(({ label }) => label !== 'Gamer');
const closedColumns = columnsWith(column.dateTime('Closed', (row) => row.resolvedAt));

export const ticketsKey = ['/api', 'admin', 'support', 'tickets'] as const;

/** The tickets whose gamer wrote last, and waits. */
export const unansweredIn = (tickets: readonly AdminTicket[]): AdminTicket[] =>
  tickets.filter(({ messages }) => messages.at(-1)?.from === 'gamer');

/** The list is not polled, because the admin panel reloads it on live messages. */
export const useTickets = (status: TicketStatus) =>
  useNewestRows<AdminTicket>(ticketsKey, { filter: { status }, queue: status === 'open', power: 'support' });

export function TicketsPanel({ title }: { title: ReactNode }) {
  const nowMs = useServerNow(60_000);
  const open = useTickets('open');
  const closed = useTickets('closed');
  const { actions, dialog } = useTicketDialog([open, closed]);
  return (
    <>
      <PanelHead title={title}>{open.data && describeOpen(open.data.rows, nowMs)}</PanelHead>
      <ListTabs
        label="Support tickets"
        tabs={[
          listTab('Tickets', 'Open', open, {
            columns: openColumns,
            empty: 'Nobody is waiting for an answer.',
            actions,
          }),
          listTab('Tickets', 'Closed', closed, {
            columns: closedColumns,
            empty: 'Tickets that are settled will be listed here.',
            actions,
          }),
        ]}
      />
      {dialog}
    </>
  );
}

export function GamerTickets({ gamerId }: { gamerId: GamerId }) {
  const list = useNewestRows<AdminTicket>(ticketsKey, { filter: { gamerId } });
  const { actions, dialog } = useTicketDialog([list]);
  return (
    <QueryResult query={list} noun="tickets" rows={2}>
      {({ rows }) =>
        rows.length === 0 ? (
          <p className="empty">This gamer has written no ticket.</p>
        ) : (
          <>
            <RowsTable name="Tickets" columns={gamerColumns} rows={rows} actions={actions} />
            {dialog}
          </>
        )
      }
    </QueryResult>
  );
}

function useTicketDialog(lists: readonly NewestRows<AdminTicket>[]) {
  const [shownId, setShownId] = useState<TicketId | null>(null);
  const shown = lists.flatMap(({ data }) => data?.rows ?? []).find(({ id }) => id === shownId);
  const actions = (row: AdminTicket) => {
    const verb = isOpen(row) ? 'Answer' : 'Read';
    const of = `${row.gamerTag}’s ticket: ${row.subject}`;
    return <Button kind="text sm" text={verb} of={of} onClick={() => setShownId(row.id)} />;
  };
  const dialog = shown && <TicketDialog key={shown.id} ticket={shown} onClose={() => setShownId(null)} />;
  return { actions, dialog };
}

const describeOpen = (open: readonly AdminTicket[], nowMs: number): string =>
  open[0] ? `${numberText(open.length)} open, oldest: ${agoText(open[0].createdAt, nowMs)}` : 'None open';

function TicketDialog({ ticket, onClose }: { ticket: AdminTicket; onClose: () => void }) {
  const { id, subject, status, gamerTag, messages } = ticket;
  const saved = { status, count: `${messages.length}`, answer: '' };
  const edits = useEdits(saved, { status: 'Status', count: 'Messages', answer: 'Answer' });
  const { values, expected, bind } = edits;
  const { run, isBusy } = useCommand<UpdateTicketRequest>('PUT', `/api/admin/support/tickets/${id}`, {
    intent: 'update ticket',
  });
  const answer = values.answer.trim();
  const cite = (text: string) => edits.change({ answer: [values.answer, text].filter(Boolean).join('\n') });
  const update = async (next: TicketStatus, base = expected) => {
    const changed = next === 'closed' ? 'Ticket Closed' : 'Ticket Reopened';
    const title = next === status ? 'Ticket Updated' : changed;
    const failure = await run(
      { status: next, adminNotes: answer || undefined },
      { title, text: `${gamerTag}: ${subject}` },
      versionOf(base.status, Number(base.count)),
    );
    if (failure === null) onClose();
  };
  return (
    <Dialog onClose={onClose} title={subject}>
      <Form onSubmit={() => update(isOpen(ticket) ? 'closed' : 'open')}>
        <Conversation messages={messages} gamer={gamerTag} />
        <TicketContext gamerId={ticket.gamerId} onCite={cite} />
        <NotesField label={`Answer to ${gamerTag}`} {...bind('answer')} />
        <p className="note">
          {isOpen(ticket)
            ? `Closing tells ${gamerTag} that it is settled. It can be reopened.`
            : `Reopening puts it back among the open tickets, and ${gamerTag} sees it open.`}
        </p>
        {!isBusy && <EditConflict edits={edits} onSaveMine={() => update(status, saved)} />}
        <div className="actions">
          <Button text="Answer" disabled={isBusy || answer === ''} onClick={() => void update(status)} />
          <Button
            type="submit"
            kind="act"
            text={isOpen(ticket) ? 'Close ticket' : 'Reopen ticket'}
            busy={isBusy && 'Saving…'}
          />
        </div>
      </Form>
    </Dialog>
  );
}
