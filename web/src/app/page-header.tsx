import { Volume2, VolumeX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLogout } from '../features/accounts/accounts.queries.js';
import { goToAuth } from '../features/accounts/auth-section.js';
import { Tally } from '../features/stats/tally.js';
import { useSession } from '../shared/session/session.queries.js';
import { setSound, useSoundSwitch } from '../shared/sound/beep.js';
import { Brand } from '../shared/ui/brand.js';
import { toast } from '../shared/ui/toasts.js';

/** Brand, who is here, and the two public counters. `dock` is the stage's clock, once the stage has scrolled away. */
export function PageHeader({ dock }: { dock?: ReactNode }) {
  return (
    <header className="wrap">
      <div className="topbar">
        <Brand />
        <nav aria-label="Main">
          <SoundSwitch />
          <Account />
        </nav>
      </div>
      <Tally />
      {dock}
    </header>
  );
}

function Account() {
  const session = useSession();
  const logout = useLogout();
  if (session === undefined) return null;
  if (session === null) {
    return (
      <button type="button" className="btn btn--line btn--sm" onClick={goToAuth}>
        Log in
      </button>
    );
  }
  const leave = () => {
    logout.mutate(undefined, {
      onError: () => toast({ title: 'Logout failed', text: 'You are still logged in. Please try again.', tone: 'bad' }),
    });
  };
  return (
    <>
      <span className="who">
        <span className="dim">Signed in as</span>
        <b>{session.gamerTag}</b>
      </span>
      <button type="button" className="btn btn--text btn--sm" disabled={logout.isPending} onClick={leave}>
        Logout
      </button>
    </>
  );
}

function SoundSwitch() {
  const on = useSoundSwitch();
  const Icon = on ? Volume2 : VolumeX;
  return (
    <button
      type="button"
      className="x"
      aria-pressed={on}
      aria-label="Sound when the game goes live"
      title={on ? 'Sound is on' : 'Sound is off'}
      onClick={() => setSound(!on)}
    >
      <Icon size={20} aria-hidden="true" />
    </button>
  );
}
