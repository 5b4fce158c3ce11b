import { Link } from '@tanstack/react-router';
import { Menu, Volume2, VolumeX } from 'lucide-react';
import { useId } from 'react';
import { goToAuth } from '../features/accounts/auth-section.js';
import { Tally } from '../features/stats/tally.js';
import { useSession } from '../shared/session/session.queries.js';
import { setSound, useSoundSwitch } from '../shared/sound/beep.js';
import { Brand } from '../shared/ui/brand.js';
import { useDisclosure } from '../shared/ui/use-disclosure.js';
import { Logout } from './logout.js';

/** Brand, who is here, the guide, and the two public counters. On phones the rest goes into a menu. */
export function PageHeader() {
  return (
    <header className="wrap">
      <div className="topbar">
        <Brand />
        <nav aria-label="Main">
          <span className="wide">
            <SoundSwitch />
            <SignedInAs />
            <AuditLink className="btn btn--line btn--sm" />
            <Link className="btn btn--line btn--sm" to="/gamers-guide">
              Gamer's Guide
            </Link>
            <Logout />
          </span>
          <Login />
          <PhoneMenu />
        </nav>
      </div>
      <Tally />
    </header>
  );
}

function PhoneMenu() {
  const { open, setOpen, root, button } = useDisclosure();
  const id = useId();
  return (
    <div ref={root} className="phone">
      <button
        ref={button}
        type="button"
        className="iconbtn"
        aria-label="Menu"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <Menu size={20} aria-hidden="true" />
      </button>
      {open && (
        <div id={id} className="phone-menu">
          <SignedInAs />
          <AuditLink className="btn btn--line" />
          <Link className="btn btn--line" to="/gamers-guide">
            Gamer's Guide
          </Link>
          <SoundSwitch labelled />
          <Logout />
        </div>
      )}
    </div>
  );
}

function Login() {
  if (useSession() !== null) return null;
  return (
    <button type="button" className="btn btn--line btn--sm" onClick={goToAuth}>
      Log in
    </button>
  );
}

function SignedInAs() {
  const session = useSession();
  if (!session) return null;
  return (
    <span className="who">
      <span className="dim">Signed in as</span>
      <b>{session.gamerTag}</b>
    </span>
  );
}

/** For who reads the books (decision 35); their page lets nobody else in. */
function AuditLink({ className }: { className: string }) {
  const session = useSession();
  if (!session || session.role === 'gamer') return null;
  return (
    <Link className={className} to="/audit">
      Audit
    </Link>
  );
}

function SoundSwitch({ labelled = false }: { labelled?: boolean }) {
  const on = useSoundSwitch();
  const Icon = on ? Volume2 : VolumeX;
  return (
    <button
      type="button"
      className={labelled ? 'btn btn--line' : 'x'}
      aria-pressed={on}
      aria-label="Sound when the game goes live"
      title={on ? 'Sound is on' : 'Sound is off'}
      onClick={() => setSound(!on)}
    >
      <Icon size={20} aria-hidden="true" />
      {labelled && (on ? 'Sound is on' : 'Sound is off')}
    </button>
  );
}
