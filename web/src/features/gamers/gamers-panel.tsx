import { type ReactNode, useState } from 'react';
import type { AdminGamerRow, AdminGamersResponse } from '../../../../contracts/http/gamers.js';
import { EMAIL_MAX_LENGTH, GAMER_LIST_PAGE_SIZE } from '../../../../contracts/limits.js';
import { useCommand } from '../../shared/api/use-api.js';
import { counted, dayText, formatCents } from '../../shared/format.js';
import { column, GamerName, type TableColumn, TwoLines } from '../../shared/lists/data-table.js';
import { POLLED_EVERY_MS, usePagedRows } from '../../shared/lists/list-queries.js';
import { PagedTable } from '../../shared/lists/list-table.js';
import { PanelHead } from '../../shared/ui/admin-parts.js';
import { SearchField } from '../../shared/ui/controls.js';
import { useSettled } from '../../shared/ui/hooks.js';

export const gamersKey = ['/api', 'admin', 'mini', 'gamers'] as const;

export type OfGamer = { gamer: AdminGamerRow };
export type GamerDialogProps = OfGamer & { onClose: () => void };

export function useGamerCommand<Body, Answer = unknown>(gamer: AdminGamerRow, action: string, intent: string) {
  const method = action === 'profile' ? 'PATCH' : 'POST';
  const path = `/api/admin/mini/gamers/${gamer.id}/${action}`;
  return useCommand<Body, Answer>(method, path, { intent, reloads: [['statement', gamer.id]] });
}

export const roleName = (role: AdminGamerRow['role']): string => `${role[0]?.toUpperCase()}${role.slice(1)}`;

const columns: TableColumn<AdminGamerRow>[] = [
  column.text('Gamer', (gamer) => gamer.gamerTag, {
    isKey: true,
    cell: ({ id, gamerTag, role, email }) => (
      <TwoLines
        first={
          <>
            <GamerName gamerTag={gamerTag} gamerId={id} />{' '}
            {role !== 'gamer' && <span className="chip chip--on">{roleName(role)}</span>}
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

export function DepositorUntil({ gamer: { isDepositor, depositorExpiresAt } }: OfGamer) {
  if (depositorExpiresAt === null) return <span className="dim">not a depositor</span>;
  if (isDepositor) return dayText(depositorExpiresAt);
  return <span className="dim">expired {dayText(depositorExpiresAt)}</span>;
}

export function GamersPanel({ title }: { title: ReactNode }) {
  const [search, setSearch] = useState('');
  const q = useSettled(search.trim());
  const list = usePagedRows(gamersKey, ({ gamers }: AdminGamersResponse) => gamers, {
    filter: { q },
    pageSize: GAMER_LIST_PAGE_SIZE,
    everyMs: POLLED_EVERY_MS,
  });
  const { data } = list.query;
  return (
    <>
      <PanelHead title={title}>{data && counted(data.total, 'gamer')}</PanelHead>
      <PagedTable
        list={list}
        name="Gamers"
        columns={columns}
        tool={
          <SearchField label="GamerTag or email" maxLength={EMAIL_MAX_LENGTH} value={search} onChange={setSearch} />
        }
        empty={q === '' ? 'Nobody has registered yet.' : `Nobody’s GamerTag or email contains “${q}”.`}
      />
    </>
  );
}
