import type { AdminGamerRow } from '../../../../../contracts/http/admin.js';
import { formatCents } from '../../../../../contracts/money.js';
import { useServerNow } from '../../../shared/clock/use-server-now.js';
import { dayText } from '../../../shared/format/time-text.js';
import type { ShownColumn } from '../lists/data-table.js';

export const gamerColumns: ShownColumn<AdminGamerRow>[] = [
  {
    label: 'Gamer',
    kind: 'text',
    isKey: true,
    value: (gamer) => gamer.gamerTag,
    cell: (gamer) => <Name gamer={gamer} />,
  },
  { label: 'Email', kind: 'text', value: (gamer) => gamer.email, exportOnly: true },
  { label: 'Role', kind: 'text', value: (gamer) => gamer.role, exportOnly: true },
  {
    label: 'Depositor until',
    kind: 'moment',
    value: (gamer) => gamer.depositorExpiresAt,
    cell: (gamer) => <DepositorUntil gamer={gamer} />,
  },
  { label: 'Purchase', kind: 'cents', value: (gamer) => gamer.purchaseBalance },
  {
    label: 'Winnings',
    kind: 'cents',
    value: (gamer) => gamer.currentWinnings,
    cell: ({ currentWinnings }) => (
      <span className={currentWinnings > 0 ? 'won' : 'dim'}>{formatCents(currentWinnings)}</span>
    ),
  },
  { label: 'Id', kind: 'text', value: (gamer) => gamer.id, exportOnly: true },
];

function Name({ gamer }: { gamer: AdminGamerRow }) {
  return (
    <span>
      <b>{gamer.gamerTag}</b> {gamer.role === 'auditor' && <span className="chip chip--on">Auditor</span>}
      <br />
      <span className="dim t12">{gamer.email}</span>
    </span>
  );
}

function DepositorUntil({ gamer }: { gamer: AdminGamerRow }) {
  const now = useServerNow(60_000);
  if (gamer.depositorExpiresAt === null) return <span className="dim">not a depositor</span>;
  if (gamer.isDepositor && now <= gamer.depositorExpiresAt) return dayText(gamer.depositorExpiresAt);
  return <span className="dim">expired {dayText(gamer.depositorExpiresAt)}</span>;
}
