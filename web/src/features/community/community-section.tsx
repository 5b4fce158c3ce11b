import type { ReactNode } from 'react';
import type { GamerSession } from '../../../../contracts/http/accounts.js';
import { useSession } from '../../shared/session/session.queries.js';
import { Act } from '../../shared/ui/act.js';
import { Late, latePart } from '../../shared/ui/late.js';

const communityFeed = latePart<{ session: GamerSession | null }>(
  () => import('./community-feed.js').then((module) => module.CommunityFeed),
  { label: 'Loading the community feed', rows: 5 },
);

/** `help` stands in its margin: the way to support, for gamers who are logged in. */
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
      <Late part={communityFeed} props={{ session: session ?? null }} />
    </Act>
  );
}
