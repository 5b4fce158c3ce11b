import { useQuery } from '@tanstack/react-query';
import { AuditScreens } from '../features/audit/audit-screens.js';
import { sessionQuery } from '../shared/session.queries.js';
import { AuthLink, EnrolFirst, SessionFailure } from '../shared/ui/act.js';
import { PageLink } from '../shared/ui/controls.js';
import { Loading } from '../shared/ui/notice.js';
import { Page } from './page.js';

export const AuditPage = () => (
  <Page isLight className="audit">
    <Content />
  </Page>
);

function Content() {
  const { data: session, isError, refetch } = useQuery(sessionQuery);
  if (session === undefined && isError) return <SessionFailure onRetry={refetch} />;
  if (session === undefined) return <Loading label="Loading the ledger" rows={8} />;
  if (!session.isAuthenticated) return <LogInFirst />;
  if (session.needsSecondFactor) return <EnrolFirst heading="h1" />;
  const mayRead = session.role === 'auditor' || session.role === 'admin';
  return mayRead ? <AuditScreens forbidden={<AuditForbidden />} /> : <AuditForbidden />;
}

const LogInFirst = () => (
  <div className="simple">
    <h1 className="h2">The audit screens are for auditors</h1>
    <p className="dim">Please log in as one, or as the admin. You then come back to this page.</p>
    <AuthLink form="login" text="Go to the login" className="btn btn--act" />
  </div>
);

const AuditForbidden = () => (
  <div className="simple">
    <h1 className="h2">Auditor access required</h1>
    <p className="dim">This page is for auditors and the admin only. You can still play the game.</p>
    <PageLink className="btn btn--act" to="/" text="Go to the game" />
  </div>
);
