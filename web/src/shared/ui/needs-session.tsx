import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import type { GamerSession } from '../../../../contracts/http/gamers.js';
import { sessionQuery, useSession } from '../session.queries.js';
import { Button, PageLink } from './controls.js';
import { type AuthForm, authHash, goToAuth } from './go-to.js';
import { LoadFailure } from './query-result.js';

type AuthLinkProps = { form: AuthForm; text: string; className?: string };

/** Pages with something that visitors do not see: a login that began on one leads back to it. */
const LOCKED_PAGES = /^\/(account|protection|statement|staff|audit|admin|verify)(\/|$)/;

export function AuthLink({ form, text, className = 'btn btn--line btn--sm' }: AuthLinkProps) {
  const session = useSession();
  const { pathname, href } = useLocation();
  if (session !== null) return null;
  if (pathname === '/') return <Button kind="line sm" text={text} onClick={() => goToAuth(form)} />;
  const state = LOCKED_PAGES.test(pathname) ? { returnTo: href } : {};
  return <PageLink className={className} to="/" hash={authHash(form)} state={state} text={text} />;
}

export const LockedContent = ({ why, action, children }: { why: string; action?: ReactNode; children: ReactNode }) => (
  <div className="blurred">
    <div inert aria-hidden="true">
      {typeof children === 'string' ? <p className="py-6">{children}</p> : children}
    </div>
    <p>
      <Lock size={18} aria-hidden="true" />
      <span>{why}</span>
      {action}
    </p>
  </div>
);

interface NeedsSessionProps {
  why: string;
  /** Blurred in place of the content. It keeps its height while the session loads, so that nothing moves for visitors. */
  preview: ReactNode;
  isFor?: (session: GamerSession) => boolean;
  children: (session: GamerSession) => ReactNode;
}

/** Content for those who are logged in. A session that could not be loaded is not taken for a visitor's. */
export function NeedsSession({ why, preview, isFor, children }: NeedsSessionProps) {
  const { data, isError, refetch } = useQuery(sessionQuery);
  const { pathname } = useLocation();
  if (data === undefined && isError) return <SessionFailure onRetry={refetch} />;
  if (data === undefined) return <LockedContent why="Loading your session">{preview}</LockedContent>;
  const isAllowed = data.isAuthenticated && (isFor?.(data) ?? true);
  if (isAllowed) return children(data);
  return (
    <LockedContent why={why} action={LOCKED_PAGES.test(pathname) && <AuthLink form="login" text="Log in" />}>
      {preview}
    </LockedContent>
  );
}

export const SessionFailure = ({ onRetry }: { onRetry: () => unknown }) => (
  <LoadFailure text="Your session could not be loaded" onRetry={onRetry} />
);

export const EnrolFirst = ({ heading: Heading }: { heading: 'h1' | 'h2' }) => (
  <section className="simple" aria-label="Second factor">
    <Heading className="h2">Set up your second factor first</Heading>
    <p className="dim">Staff need one on this site.</p>
    <PageLink className="btn btn--act" to="/staff" text="Second factor" />
  </section>
);
