import { useSession } from '../../shared/session.queries.js';
import { Act } from '../../shared/ui/act.js';
import { lazy } from '../../shared/ui/lazy.js';

const CommunityFeed = lazy(() => import('./community-feed.js'), 'CommunityFeed', 'the community feed', 5);

/** `onSupport` is null for visitors. */
export function CommunitySection({ onSupport }: { onSupport: (() => void) | null }) {
  const session = useSession();
  return (
    <Act
      title="Gamers Community Feed"
      lead={
        <>
          <p>Be decent. Posts are public.</p>
          {onSupport && (
            <p>
              <button type="button" className="linkish min-h-11" onClick={onSupport}>
                Need Help? Contact Support
              </button>
            </p>
          )}
        </>
      }
    >
      <CommunityFeed session={session} />
    </Act>
  );
}
