import { Link } from '@tanstack/react-router';
import { AUTH_SECTION_ID } from '../features/accounts/auth-section.js';
import { AuditDesk } from '../features/audit/audit-desk.js';
import { useSession } from '../shared/session/session.queries.js';
import { Brand } from '../shared/ui/brand.js';
import { Loading } from '../shared/ui/notice.js';
import { Logout } from './logout.js';
import { mainTarget } from './skip-link.js';
import { useHouseLight } from './use-house-light.js';

/** The audit screens (decision 35): for auditors and the admin. Everyone else is told so; the server decides. */
export function AuditPage() {
  useHouseLight('Omni Jackpot: audit');
  return (
    <div className="audit">
      <header className="wrap">
        <div className="topbar">
          <Brand />
          <Who />
        </div>
      </header>
      <main className="wrap" {...mainTarget}>
        <Matter />
      </main>
    </div>
  );
}

function Who() {
  const session = useSession();
  if (!session) return null;
  const role = { admin: 'Admin', auditor: 'Auditor', gamer: 'Gamer' }[session.role];
  return (
    <p className="who">
      <span className="dim">{role}</span>
      <b>{session.gamerTag}</b>
      <Logout />
    </p>
  );
}

function Matter() {
  const session = useSession();
  if (session === undefined) return <Loading label="Loading the books" rows={8} />;
  if (session === null) return <LogInFirst />;
  return session.role === 'gamer' ? <NotYours /> : <AuditDesk forbidden={<NotYours />} />;
}

function LogInFirst() {
  return (
    <div className="simple">
      <h1 className="h2">The books are for auditors</h1>
      <p className="dim">Please log in as one, or as the admin, and come back to this page.</p>
      <Link className="btn btn--act" to="/" hash={AUTH_SECTION_ID}>
        Go to the login
      </Link>
    </div>
  );
}

function NotYours() {
  return (
    <div className="simple">
      <h1 className="h2">Auditor access required</h1>
      <p className="dim">This page is not yours: it is for auditors and the admin. The game is open to you as ever.</p>
      <Link className="btn btn--act" to="/">
        Go to the game
      </Link>
    </div>
  );
}
