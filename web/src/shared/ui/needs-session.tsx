import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { GamerSession } from '../../../../contracts/http/accounts.js';
import { sessionQuery } from '../session.queries.js';
import { Locked } from './act.js';
import { LoadFailure } from './notice.js';

interface NeedsSessionProps {
  /** Tells visitors what to do. Somebody in another role reads the same. */
  why: string;
  /** Blurred in place of the content. It keeps its height while the session loads, so that nothing moves for visitors. */
  preview: ReactNode;
  /** Everybody who is logged in when absent. */
  isFor?: (session: GamerSession) => boolean;
  children: (session: GamerSession) => ReactNode;
}

/** Content for those who are logged in. A session that could not be loaded is not taken for a visitor's. */
export function NeedsSession({ why, preview, isFor, children }: NeedsSessionProps) {
  const { data, isError, refetch } = useQuery(sessionQuery);
  if (data === undefined && isError) return <SessionFailure onRetry={refetch} />;
  if (data === undefined) return <Locked why="Loading your session">{preview}</Locked>;
  const isAllowed = data.isAuthenticated && (isFor?.(data) ?? true);
  return isAllowed ? children(data) : <Locked why={why}>{preview}</Locked>;
}

export const SessionFailure = ({ onRetry }: { onRetry: () => unknown }) => (
  <LoadFailure text="Your session could not be loaded" onRetry={onRetry} />
);
