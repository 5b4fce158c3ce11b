import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, rootRouteId, useMatches } from '@tanstack/react-router';
import { Menu } from 'lucide-react';
import type { ReactNode } from 'react';
import { unitsOf } from '../../../contracts/durations.js';
import type { StatsResponse } from '../../../contracts/http/game.js';
import { isStaff } from '../../../contracts/ids.js';
import { LAUNCH_AT_EPOCH_MS } from '../../../contracts/limits.js';
import { newcomer, referral } from '../features/gamers/referral.js';
import { reasonOf, send, useApi } from '../shared/api/api-client.js';
import { useTerms } from '../shared/board.js';
import { useSecondsLeft } from '../shared/clock.js';
import { durationText, formatCents, numberText } from '../shared/format.js';
import { changeSession, useSession } from '../shared/session.queries.js';
import { useStore } from '../shared/store.js';
import { Button, PageLink } from '../shared/ui/controls.js';
import { Disclosure } from '../shared/ui/disclosure.js';
import { lazy } from '../shared/ui/lazy.js';
import { AuthLink } from '../shared/ui/needs-session.js';
import { toastProblem } from '../shared/ui/toasts.js';

const PlayWatch = lazy(() => import('../features/protection/play-watch.js'));
const AnswerMark = lazy(() => import('../features/support/answer-mark.js'));
const ArrivalStrip = lazy(() => import('../features/gamers/arrival-strip.js'));
const MenuLinks = lazy(() => import('./menu-links.js'), 'the menu', 9);

/** The title of the page in the address; undefined on the main page. */
export const usePageTitle = (): string | undefined =>
  useMatches({
    select: (matches) => {
      const { routeId, staticData, params } = matches.at(-1) ?? {};
      if (routeId === rootRouteId) return 'Page Not Found';
      return params && 'roundId' in params ? `${staticData?.title} ${params.roundId}` : staticData?.title;
    },
  });

export const mainTarget = { id: 'main', tabIndex: -1 } as const;

/** Has no footer, because it is shown even when code cannot be fetched. */
export const ErrorPage = () => (
  <>
    <PageHeader />
    <main className="wrap simple" {...mainTarget}>
      <h1 className="h2">This page could not be shown</h1>
      <p className="dim">The game continues without it, and nothing you own is affected.</p>
      <Button kind="act" text="Load the page again" onClick={() => window.location.reload()} />
    </main>
  </>
);

/** `children` follow the two counters. */
export const PageHeader = ({ children }: { children?: ReactNode }) => (
  <header className="wrap">
    <div className="topbar">
      <Brand />
      <SessionLine />
      <nav aria-label="Main">
        <span className="wide">
          <LoggedInAs />
          <PageLink className="btn btn--line btn--sm" to="/gamers-guide" text="Gamer's Guide" />
          <Logout />
          <AuthLink form="register" text="Register" />
        </span>
        <AuthLink form="login" text="Log in" />
        <PageMenu />
      </nav>
    </div>
    <Arrival />
    <div className="tally">
      <Counters />
      {children}
    </div>
  </header>
);

export const MainPageHeader = () => (
  <PageHeader>
    <HeaderRules />
  </PageHeader>
);

function HeaderRules() {
  const { tokenPriceCents, tokenExtensionSeconds } = useTerms();
  const secondsLeft = useSecondsLeft(LAUNCH_AT_EPOCH_MS) ?? 0;
  const { days, hours, minutes, seconds } = unitsOf(secondsLeft);
  return (
    <>
      <ul className="header-rules" aria-label="Rules">
        <li>Last buyer before zero wins the jackpot.</li>{' '}
        <li>{`A token costs ${formatCents(tokenPriceCents)} in crypto and adds ${durationText(tokenExtensionSeconds)}.`}</li>
      </ul>
      <span>
        The game launches Wednesday October 1st at 12PM EST.{' '}
        <b className="num" role="timer" aria-label="Launch countdown">
          {secondsLeft === 0 ? 'LAUNCHED!' : `${days} days ${hours % 24} hours ${minutes} minutes ${seconds} seconds`}
        </b>
      </span>
    </>
  );
}

const Arrival = () => [useStore(referral), useStore(newcomer)].some(Boolean) && <ArrivalStrip />;

function SessionLine() {
  const session = useSession();
  if (!session || isStaff(session.role)) return null;
  return (
    <>
      <PlayWatch />
      <AnswerMark />
    </>
  );
}

const PageMenu = () => (
  <Disclosure
    className="page-menu"
    button={{ className: 'iconbtn', 'aria-label': 'Menu', children: <Menu size={20} aria-hidden="true" /> }}
    panel={{ className: 'page-menu-list' }}
  >
    {(close) => (
      <>
        <LoggedInAs />
        <MenuLinks onGo={close} />
        <Logout />
      </>
    )}
  </Disclosure>
);

function LoggedInAs() {
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
    mutationFn: () => changeSession(() => send<void>('POST', '/api/logout')),
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
    refreshOn: ['stats:updated'],
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

export const Brand = () => (
  <Link className="brand" to="/">
    <span className="mark" aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
    Omni Jackpot
  </Link>
);
