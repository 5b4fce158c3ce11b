import { lazy } from '../../shared/ui/lazy.js';
import { EnrolFirst, NeedsSession } from '../../shared/ui/needs-session.js';

/** Loaded only in an admin’s or operator’s browser. The server checks every command. */
const AdminPanel = lazy(() => import('./admin-panel.js'), 'the admin panel', 6);

export const AdminSection = () => (
  <section className="locked-short border-t border-line" aria-label="Admin Panel">
    <NeedsSession
      why="Admin access required"
      preview={
        <>
          <p className="h2">Admin Panel</p>
          <p>Admin Profits</p>
          <p>Support Tickets</p>
          <p>Deposits</p>
          <p>Withdrawals</p>
          <p>Game Control</p>
          <p>Gamers Mini-Manager</p>
        </>
      }
      isFor={({ role }) => role === 'admin' || role === 'operator'}
    >
      {({ needsSecondFactor }) => (needsSecondFactor ? <EnrolFirst heading="h2" /> : <AdminPanel />)}
    </NeedsSession>
  </section>
);
