import { lazy, Suspense } from 'react';
import { useSession } from '../../shared/session/session.queries.js';
import { Locked } from '../../shared/ui/locked.js';
import { Loading } from '../../shared/ui/notice.js';

/** Only an admin's browser ever loads what is inside. The server decides who is one, and checks every command. */
const AdminPanel = lazy(() => import('./admin-panel.js').then((room) => ({ default: room.AdminPanel })));

export function AdminSection() {
  const session = useSession();
  if (session?.role !== 'admin') {
    return (
      <section className="border-t border-line py-8 md:py-12" aria-label="Admin Panel">
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
  return (
    <section className="border-t border-line" aria-label="Admin Panel">
      <Suspense fallback={<Loading label="Loading the admin panel" rows={6} />}>
        <AdminPanel />
      </Suspense>
    </section>
  );
}
