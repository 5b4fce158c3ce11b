import { type ReactNode, useEffect, useState } from 'react';
import type { AdminGamerRow } from '../../../../contracts/http/admin.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { GAMER_LIST_PAGE_SIZE } from '../../../../contracts/limits.js';
import { counted } from '../../shared/format/clock-text.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { Field } from '../../shared/ui/field.js';
import { LoadFailure, Loading } from '../../shared/ui/notice.js';
import { EditGamer } from './edit-gamer.js';
import { useGamers } from './gamers.queries.js';
import { GamersTable } from './gamers-table.js';

const TYPING_PAUSE_MS = 300;

/** Finds gamers, shows their balances, and opens one for editing. */
export function GamersManager({ title }: { title: ReactNode }) {
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const [editingId, setEditingId] = useState<GamerId | null>(null);
  const q = useSettled(search.trim());
  const { data, isPending, isPlaceholderData, refetch } = useGamers(q, page);
  const editing = data?.gamers.find((gamer) => gamer.id === editingId) ?? null;
  return (
    <>
      <div className="room-h">
        {title}
        {data && <p className="t14 dim num">{counted(data.total, 'gamer')}</p>}
      </div>
      <Field
        label="GamerTag or email"
        type="search"
        autoComplete="off"
        value={search}
        onChange={(event) => {
          setSearch(event.target.value);
          setPage(1);
        }}
      />
      {isPending ? (
        <Loading label="Loading gamers" rows={5} />
      ) : data === undefined ? (
        <LoadFailure text="The gamers could not be loaded" onRetry={() => void refetch()} />
      ) : (
        <div aria-busy={isPlaceholderData}>
          <GamersTable gamers={data.gamers} search={q} onEdit={(gamer) => setEditingId(gamer.id)} />
          <Pages page={page} total={data.total} onPage={setPage} />
        </div>
      )}
      <EditDialog gamer={editing} onClose={() => setEditingId(null)} />
    </>
  );
}

function EditDialog({ gamer, onClose }: { gamer: AdminGamerRow | null; onClose: () => void }) {
  return (
    <Dialog
      open={gamer !== null}
      onOpenChange={(open) => !open && onClose()}
      title={gamer ? `Edit ${gamer.gamerTag}` : 'Edit Gamer'}
    >
      {gamer && <EditGamer key={gamer.id} gamer={gamer} />}
    </Dialog>
  );
}

function Pages({ page, total, onPage }: { page: number; total: number; onPage: (page: number) => void }) {
  const pages = Math.max(1, Math.ceil(total / GAMER_LIST_PAGE_SIZE));
  if (pages === 1) return null;
  return (
    <nav className="flex items-center justify-between gap-4 pt-4" aria-label="Pages of gamers">
      <button type="button" className="btn btn--line btn--sm" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Previous
      </button>
      <span className="t14 dim num" aria-live="polite">
        Page {page} of {pages.toLocaleString('en-US')}
      </span>
      <button type="button" className="btn btn--line btn--sm" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        Next
      </button>
    </nav>
  );
}

/** The value once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
