import { useSession } from '../../shared/session.queries.js';
import { EnrolFirst, Locked } from '../../shared/ui/act.js';
import { ADMIN_PANEL_ID } from '../../shared/ui/go-to.js';
import { lazy } from '../../shared/ui/lazy.js';

/** Loaded only in an admin’s or operator’s browser. The server decides who is one, and checks every command. */
const AdminPanel = lazy(() => import('./admin-panel.js'), 'the admin panel', 6);

export function AdminSection() {
  const session = useSession();
  const isOperating = session?.role === 'admin' || session?.role === 'operator';
  if (isOperating && session.needsSecondFactor) return <EnrolFirst heading="h2" />;
  if (isOperating)
    return (
      <section id={ADMIN_PANEL_ID} className="border-t border-line" aria-label="Admin Panel" tabIndex={-1}>
        <AdminPanel />
      </section>
    );
  return (
    <section className="locked-short border-t border-line py-6" aria-label="Admin Panel">
      <Locked why="Admin access required">
        <p className="h2">Admin Panel</p>
        <p>Admin Profits</p>
        <p>Support Tickets</p>
        <p>Deposits</p>
        <p>Withdrawals</p>
        <p>Game Control</p>
        <p>Gamers Mini-Manager</p>
      </Locked>
    </section>
  );
}
