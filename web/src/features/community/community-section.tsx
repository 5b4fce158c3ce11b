import type { ReactNode } from 'react';
import { useSession } from '../../shared/session.queries.js';
import { Act } from '../../shared/ui/act.js';
import { lazy } from '../../shared/ui/lazy.js';

const CommunityFeed = lazy(() => import('./community-feed.js'), 'CommunityFeed', 'the community feed', 5);

/** `help` is shown under the title: the link to the support, for logged-in gamers. */
export function CommunitySection({ help }: { help: ReactNode }) {
  const session = useSession();
  return (
    <Act
      title="Gamers Community Feed"
      lead={
        <>
          <p>Be decent. Posts are public.</p>
          {help}
        </>
      }
    >
      <CommunityFeed session={session ?? null} />
    </Act>
  );
}
