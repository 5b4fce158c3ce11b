import type { GamerSession } from '../../../contracts/http/gamers.js';
import { ExclusionPanel, LimitsPanel } from '../features/protection/my-protection.js';
import { RealityCheckChoice } from '../features/protection/play-watch.js';
import { useSession } from '../shared/session.queries.js';
import { Act, NeedsSession } from '../shared/ui/act.js';
import { Page } from './page.js';

export function ProtectionPage() {
  const session = useSession();
  return (
    <Page title="My Limits">
      <Act
        first
        title="Set limits"
        lead={<p>For what you spend, pay in and lose. Nobody can loosen them but you, and not in haste.</p>}
      >
        <NeedsSession
          why="Log in as a gamer to set limits"
          preview={<p className="py-6">A day, a week, a month: you choose how much.</p>}
          isFor={isNotAdmin}
        >
          {() => <LimitsPanel />}
        </NeedsSession>
      </Act>
      {session?.role === 'gamer' && (
        <Act
          title="Reality check"
          lead={
            <p>
              From time to time a dialog shows how long you have been logged in, what you have spent and what you have
              won since then. It closes when you answer it. A session begins when you log in; each page shows how long
              it lasts, and your net position in it.
            </p>
          }
        >
          <RealityCheckChoice />
        </Act>
      )}
      <Act
        id="take-a-break"
        title="Take a break"
        lead={<p>From now on, for as long as you choose. Nobody can make it shorter, not even support.</p>}
      >
        <NeedsSession
          why="Log in as a gamer to take a break"
          preview={
            <p className="py-6">A time-out of a day to six weeks, or a self-exclusion of six months to five years.</p>
          }
          isFor={isNotAdmin}
        >
          {() => <ExclusionPanel />}
        </NeedsSession>
      </Act>
    </Page>
  );
}

const isNotAdmin = ({ role }: GamerSession): boolean => role !== 'admin';
