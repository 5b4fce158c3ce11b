import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Menu } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import type { StatsResponse } from '../../../contracts/http/game.js';
import { isStaff } from '../../../contracts/ids.js';
import { formatCents } from '../../../contracts/money.js';
import { reasonOf, send } from '../shared/api/api-client.js';
import { useApi } from '../shared/api/use-api.js';
import { numberText } from '../shared/format.js';
import { changingSession, useSession } from '../shared/session.queries.js';
import { AuthLink } from '../shared/ui/act.js';
import { Button } from '../shared/ui/controls.js';
import { useDisclosure } from '../shared/ui/hooks.js';
import { lazy } from '../shared/ui/lazy.js';
import { toastProblem } from '../shared/ui/toasts.js';

const PlayWatch = lazy(() => import('../features/protection/play-watch.js'), 'PlayWatch', 'your session', 0);
const MenuLinks = lazy(() => import('./menu-links.js'), 'MenuLinks', 'the menu', 9);

export const mainTarget = { id: 'main', tabIndex: -1 } as const;

const socials = [
  { name: 'X', path: 'M4 4l16 16M20 4 4 20' },
  { name: 'Telegram', path: 'M21 4 3 11l6 2.5L18 7l-6.5 8 6 5z' },
  {
    name: 'YouTube',
    path: 'M6 6h12a3 3 0 0 1 3 3v6a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3V9a3 3 0 0 1 3-3zM10.5 9.5l4 2.5-4 2.5z',
  },
] as const;

const ABOUT_LINKS = [
  { text: 'Rules', to: '/gamers-guide', hash: 'rules' },
  { text: 'Fairness', to: '/gamers-guide', hash: 'fairness' },
  { text: 'Check the Ledger', to: '/verify' },
  { text: 'Public Record', to: '/record' },
  { text: 'Player Protection', to: '/protection' },
  { text: 'Contact Support', to: '/', hash: 'support' },
] as const;

/** The social links have no destination yet (specification §2), so they link to the current page. */
export const PageFooter = () => (
  <footer className="foot">
    <div className="flex flex-wrap items-center justify-between gap-4">
      <Brand />
      <nav aria-label="Social">
        {socials.map(({ name, path }) => (
          <Link key={name} className="iconbtn" to="." search={true} resetScroll={false} title={`${name}: not open yet`}>
            <span className="sr">{name}, not open yet</span>
            <svg
              width="18"
              height="18"
              viewBox="0 0 24 24"
              fill="none"
              stroke="currentColor"
              strokeWidth="2"
              strokeLinejoin="round"
              aria-hidden="true"
            >
              <path d={path} />
            </svg>
          </Link>
        ))}
      </nav>
    </div>
    <nav aria-label="About the game">
      {ABOUT_LINKS.map(({ text, ...link }) => (
        <Link key={text} className="linkish" {...link}>
          {text}
        </Link>
      ))}
    </nav>
    <p>A daily countdown game. Play for winnings only. Not an income opportunity.</p>
  </footer>
);

interface PageProps {
  title?: string;
  isLong?: boolean;
  className?: string;
  children: ReactNode;
}

export const Page = ({ title, isLong = false, className, children }: PageProps) => (
  <div className={className}>
    <PageHeader />
    <main className="wrap" {...mainTarget}>
      {title !== undefined && (
        <div className="flex flex-wrap items-center justify-between gap-4 py-6">
          <h1 className="h2">{title}</h1>
          <ReturnToGame />
        </div>
      )}
      {children}
      {isLong && (
        <p className="pb-12">
          <ReturnToGame />
        </p>
      )}
    </main>
    <div className="wrap">
      <PageFooter />
    </div>
  </div>
);

const ReturnToGame = () => (
  <Link className="btn btn--act" to="/">
    Return to Game
  </Link>
);

export const SimplePage = ({ children }: { children: ReactNode }) => (
  <Page className="simple-page">
    <div className="simple">{children}</div>
  </Page>
);

export const ErrorPage = () => (
  <SimplePage>
    <h1 className="h2">This page could not be shown</h1>
    <p className="dim">The game continues without it, and nothing you own is affected.</p>
    <Button kind="act" text="Load the page again" onClick={() => window.location.reload()} />
  </SimplePage>
);

export const NotFoundPage = () => (
  <SimplePage>
    <p className="label">404</p>
    <h1 className="h2">Page Not Found</h1>
    <p className="dim">There is no page at this address.</p>
    <Link className="btn btn--act" to="/">
      Go to the game
    </Link>
  </SimplePage>
);

/** `children` follow the two counters: the main page's rules. */
export const PageHeader = ({ children }: { children?: ReactNode }) => (
  <header className="wrap">
    <div className="topbar">
      <Brand />
      <SessionLine />
      <nav aria-label="Main">
        <span className="wide">
          <SignedInAs />
          <Link className="btn btn--line btn--sm" to="/gamers-guide">
            Gamer's Guide
          </Link>
          <Logout />
          <AuthLink form="register" text="Register" />
        </span>
        <AuthLink form="login" text="Log in" />
        <PageMenu />
      </nav>
    </div>
    <div className="tally">
      <Counters />
      {children}
    </div>
  </header>
);

function SessionLine() {
  const session = useSession();
  return session && !isStaff(session.role) && <PlayWatch gamerId={session.id} />;
}

function PageMenu() {
  const { open, setOpen, root, button } = useDisclosure();
  const id = useId();
  return (
    <div ref={root} className="page-menu">
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
        <div id={id} className="page-menu-list">
          <SignedInAs />
          <MenuLinks onGo={() => setOpen(false)} />
          <Logout />
        </div>
      )}
    </div>
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

function Logout() {
  const session = useSession();
  const client = useQueryClient();
  const logout = useMutation({
    mutationFn: () => changingSession(() => send<void>('POST', '/api/logout')),
    onSuccess: () => {
      client.clear();
      window.location.reload();
    },
    onError: (error) => toastProblem('Logout failed', reasonOf(error, 'You are still logged in. Please try again.')),
  });
  if (!session) return null;
  return <Button kind="text sm" text="Logout" disabled={logout.isPending} onClick={() => logout.mutate()} />;
}

/** Specification §9, polling. */
const POLLED_EVERY_MS = 10_000;

function Counters() {
  const { data } = useApi<StatsResponse>(['/api', 'stats'], {
    refreshOn: 'stats:updated',
    refetchInterval: POLLED_EVERY_MS,
  });
  return (
    <>
      <span>
        Total Gamers <b className="num">{data ? numberText(data.totalGamers) : '—'}</b>
      </span>
      <span>
        Total Winnings{' '}
        <b className="num won">{data ? formatCents(Math.round(data.totalWinningsDollars * 100)) : '—'}</b>
      </span>
    </>
  );
}

const Brand = () => (
  <Link className="brand" to="/">
    <span className="mark" aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
    Omni Jackpot
  </Link>
);
