import { type ReactNode, useState } from 'react';
import type { AdminGamerRow, AdminGamersResponse } from '../../../../contracts/http/gamers.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { EMAIL_MAX_LENGTH, GAMER_LIST_PAGE_SIZE } from '../../../../contracts/limits.js';
import { useServerNow } from '../../shared/clock.js';
import { counted, dayText, formatCents } from '../../shared/format.js';
import { column, type TableColumn, TwoLines } from '../../shared/lists/data-table.js';
import { POLLED_EVERY_MS, usePagedRows, usePower } from '../../shared/lists/list-queries.js';
import { PagedTable } from '../../shared/lists/list-table.js';
import { PanelHead } from '../../shared/ui/admin-parts.js';
import { Button, SearchField } from '../../shared/ui/controls.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { useSettled } from '../../shared/ui/hooks.js';
import { EditGamer } from './edit-gamer.js';
import { gamersKey } from './gamer-commands.js';
import { roleName } from './role-select.js';

const columns: TableColumn<AdminGamerRow>[] = [
  column.text('Gamer', (gamer) => gamer.gamerTag, {
    isKey: true,
    cell: ({ gamerTag, role, email }) => (
      <TwoLines
        first={
          <>
            <b>{gamerTag}</b> {role !== 'gamer' && <span className="chip chip--on">{roleName(role)}</span>}
          </>
        }
        second={email}
      />
    ),
  }),
  column.text('Email', (gamer) => gamer.email, { exportOnly: true }),
  column.text('Role', (gamer) => gamer.role, { exportOnly: true }),
  column.dateTime('Depositor until', (gamer) => gamer.depositorExpiresAt, {
    cell: (gamer) => <DepositorUntil gamer={gamer} />,
  }),
  column.cents('Purchase', (gamer) => gamer.purchaseBalance),
  column.cents('Winnings', (gamer) => gamer.currentWinnings, {
    cell: ({ currentWinnings }) => (
      <span className={currentWinnings > 0 ? 'won' : 'dim'}>{formatCents(currentWinnings)}</span>
    ),
  }),
  column.id,
];

function DepositorUntil({ gamer: { isDepositor, depositorExpiresAt } }: { gamer: AdminGamerRow }) {
  const now = useServerNow(60_000);
  if (depositorExpiresAt === null) return <span className="dim">not a depositor</span>;
  if (isDepositor && now <= depositorExpiresAt) return dayText(depositorExpiresAt);
  return <span className="dim">expired {dayText(depositorExpiresAt)}</span>;
}

export function GamersPanel({ title }: { title: ReactNode }) {
  const mayEdit = usePower('money');
  const [search, setSearch] = useState('');
  const [editingId, setEditingId] = useState<GamerId | null>(null);
  const q = useSettled(search.trim());
  const list = usePagedRows(gamersKey, ({ gamers }: AdminGamersResponse) => gamers, {
    filter: { q },
    pageSize: GAMER_LIST_PAGE_SIZE,
    everyMs: POLLED_EVERY_MS,
  });
  const { data } = list.query;
  const editing = data?.rows.find((gamer) => gamer.id === editingId);
  const close = () => setEditingId(null);
  return (
    <>
      <PanelHead title={title}>{data && counted(data.total, 'gamer')}</PanelHead>
      <PagedTable
        list={list}
        name="Gamers"
        loadingRows={5}
        columns={columns}
        tool={
          <SearchField label="GamerTag or email" maxLength={EMAIL_MAX_LENGTH} value={search} onChange={setSearch} />
        }
        empty={q === '' ? 'Nobody has registered yet.' : `Nobody’s GamerTag or email contains “${q}”.`}
        {...(mayEdit && {
          actions: ({ id, gamerTag }: AdminGamerRow) => (
            <Button kind="text sm" text="Edit" of={gamerTag} onClick={() => setEditingId(id)} />
          ),
        })}
      />
      {editing && (
        <Dialog wide onClose={close} title={`Edit ${editing.gamerTag}`}>
          <EditGamer key={editing.id} gamer={editing} onGone={close} />
        </Dialog>
      )}
    </>
  );
}
