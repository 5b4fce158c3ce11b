import { type ReactNode, useEffect, useState } from 'react';
import type { GamerId } from '../../../../../contracts/ids.js';
import { EMAIL_MAX_LENGTH, GAMER_LIST_PAGE_SIZE } from '../../../../../contracts/limits.js';
import { counted } from '../../../shared/format/clock-text.js';
import { Field } from '../../../shared/ui/field.js';
import { Listed } from '../../../shared/ui/listed.js';
import { ServerTable } from '../lists/server-table.js';
import { EditGamerDialog } from './edit-gamer-dialog.js';
import { gamerColumns } from './gamer-columns.js';
import { allGamers, useGamers } from './gamers.queries.js';

const TYPING_PAUSE_MS = 300;

/** Finds gamers, shows their balances, and opens one for editing. */
export function GamersManager({ title }: { title: ReactNode }) {
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const [editingId, setEditingId] = useState<GamerId | null>(null);
  const q = useSettled(search.trim());
  const query = useGamers(q, page);
  const editing = query.data?.gamers.find((gamer) => gamer.id === editingId) ?? null;
  return (
    <>
      <div className="room-h">
        {title}
        {query.data && <p className="t14 dim num">{counted(query.data.total, 'gamer')}</p>}
      </div>
      <Listed query={query} what="gamers" rows={5}>
        {({ gamers, total }) => (
          <ServerTable
            name="Gamers"
            columns={gamerColumns}
            rows={gamers}
            allRows={() => allGamers(q)}
            tool={
              <Field
                label="GamerTag or email"
                type="search"
                autoComplete="off"
                maxLength={EMAIL_MAX_LENGTH}
                value={search}
                onChange={(event) => {
                  setSearch(event.target.value);
                  setPage(1);
                }}
              />
            }
            empty={q === '' ? 'Nobody has registered yet.' : `Nobody’s GamerTag or email contains “${q}”.`}
            page={page}
            pages={Math.ceil(total / GAMER_LIST_PAGE_SIZE)}
            onPage={setPage}
            actions={(gamer) => (
              <button
                type="button"
                className="btn btn--text btn--sm"
                aria-label={`Edit ${gamer.gamerTag}`}
                onClick={() => setEditingId(gamer.id)}
              >
                Edit
              </button>
            )}
          />
        )}
      </Listed>
      <EditGamerDialog gamer={editing} onClose={() => setEditingId(null)} />
    </>
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
