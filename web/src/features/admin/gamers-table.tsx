import type { AdminGamerRow } from '../../../../contracts/http/admin.js';
import { formatCents } from '../../../../contracts/money.js';
import { useServerNow } from '../../shared/clock/use-server-now.js';
import { dayText } from '../../shared/format/time-text.js';

interface GamersTableProps {
  gamers: AdminGamerRow[];
  search: string;
  onEdit: (gamer: AdminGamerRow) => void;
}

/** A table from 768 px, folded rows below. */
export function GamersTable({ gamers, search, onEdit }: GamersTableProps) {
  if (gamers.length === 0)
    return (
      <p className="empty">
        {search === '' ? 'Nobody has registered yet.' : `Nobody’s GamerTag or email contains “${search}”.`}
      </p>
    );
  return (
    <table className="tbl tbl--fold">
      <thead>
        <tr>
          <th>Gamer</th>
          <th>Depositor until</th>
          <th className="r">Purchase</th>
          <th className="r">Winnings</th>
          <th>
            <span className="sr">Action</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {gamers.map((gamer) => (
          <GamerRow key={gamer.id} gamer={gamer} onEdit={onEdit} />
        ))}
      </tbody>
    </table>
  );
}

function GamerRow({ gamer, onEdit }: { gamer: AdminGamerRow; onEdit: (gamer: AdminGamerRow) => void }) {
  return (
    <tr>
      <td className="key">
        <span>
          <b>{gamer.gamerTag}</b>
          <br />
          <span className="dim t12">{gamer.email}</span>
        </span>
      </td>
      <td data-l="Depositor until" className="num">
        <DepositorUntil gamer={gamer} />
      </td>
      <td data-l="Purchase" className="r num">
        {formatCents(gamer.purchaseBalance)}
      </td>
      <td data-l="Winnings" className={`r num ${gamer.currentWinnings > 0 ? 'won' : 'dim'}`}>
        {formatCents(gamer.currentWinnings)}
      </td>
      <td className="do">
        <div className="actions">
          <button
            type="button"
            className="btn btn--text btn--sm"
            aria-label={`Edit ${gamer.gamerTag}`}
            onClick={() => onEdit(gamer)}
          >
            Edit
          </button>
        </div>
      </td>
    </tr>
  );
}

function DepositorUntil({ gamer }: { gamer: AdminGamerRow }) {
  const now = useServerNow(60_000);
  if (gamer.depositorExpiresAt === null) return <span className="dim">not a depositor</span>;
  if (gamer.isDepositor && now <= gamer.depositorExpiresAt) return dayText(gamer.depositorExpiresAt);
  return <span className="dim">expired {dayText(gamer.depositorExpiresAt)}</span>;
}
