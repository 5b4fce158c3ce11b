import { useQueryClient } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { WifiOff } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { isStaff } from '../../../contracts/ids.js';
import { useBoardSync } from '../shared/board.js';
import { sleep } from '../shared/clock.js';
import { isDown, useConnection } from '../shared/live/live-events.js';
import { RECONNECT_ATTEMPTS, reconnect } from '../shared/live/live-socket.js';
import { useGamerSync, useSession } from '../shared/session.queries.js';
import { Button } from '../shared/ui/controls.js';
import { authForm } from '../shared/ui/go-to.js';
import { lazy } from '../shared/ui/lazy.js';
import { Announcer, keepClear, Toasts } from '../shared/ui/toasts.js';
import { mainTarget, usePageTitle } from './page-frame.js';

const StaffSession = lazy(() => import('../features/staff/second-factor.js'));
const GameNews = lazy(() => untilFetched(() => import('./game-news.js')));
/** The first check comes after the page has settled; the code of the checks is fetched only then. */
const FIRST_CHECK_MS = 5_000;
const LedgerAlarm = lazy(async () => {
  await sleep(FIRST_CHECK_MS);
  return untilFetched(() => import('../features/receipts/ledger-alarm.js'));
});

const RETRY_MS = 60_000;

/** Fetches code again until it arrives: these parts show nothing meanwhile, so nobody would press a button. */
const untilFetched = <Code,>(load: () => Promise<Code>): Promise<Code> =>
  load().catch(() => sleep(RETRY_MS).then(() => untilFetched(load)));

export function RootLayout() {
  const session = useSession();
  const title = usePageTitle();
  useBoardSync();
  useGamerSync();
  useSessionEnd();
  return (
    <>
      <title>{title ? `${title} · Omni Jackpot` : 'Omni Jackpot'}</title>
      <SkipLink />
      <ConnectionBanner />
      <LedgerAlarm />
      <GameNews />
      {session && isStaff(session.role) && <StaffSession />}
      <Outlet />
      <Toasts />
      <Announcer />
    </>
  );
}

const SkipLink = () => (
  <a
    className="skip"
    href={`#${mainTarget.id}`}
    onClick={(event) => {
      // Following the link would replace the address, with the token or referral code in it.
      event.preventDefault();
      document.getElementById(mainTarget.id)?.focus();
    }}
  >
    Skip to the content
  </a>
);

/** Shown while the live connection is down. After the last attempt, a button or the window's focus starts ten new ones. */
function ConnectionBanner() {
  const connection = useConnection();
  if (!isDown(connection)) return null;
  const gaveUp = connection.state === 'given-up';
  return (
    <div ref={keepClear} className="linebanner" role="alert">
      <WifiOff className="bad" size={18} aria-hidden="true" />
      <p>
        <b>{gaveUp ? 'Connection lost' : 'Connection lost - Attempting to reconnect...'}</b>
        <br />
        {gaveUp && <span>{`All ${RECONNECT_ATTEMPTS} attempts failed.`}</span>}
        {connection.state === 'silent' && <span>The server does not answer.</span>}
        {connection.state === 'lost' && (
          <span aria-live="off">{`Attempt ${connection.attempt} of ${RECONNECT_ATTEMPTS}.`}</span>
        )}{' '}
        The round continues on the server.
      </p>
      {gaveUp && <Button kind="line sm" text="Reconnect" onClick={reconnect} />}
    </div>
  );
}

function useSessionEnd(): void {
  const client = useQueryClient();
  const session = useSession();
  const previousId = useRef<string | null>(null);
  useEffect(() => {
    if (session === undefined) return;
    if (previousId.current !== null && session === null) {
      client.removeQueries({ type: 'inactive' });
      authForm.set('login');
    }
    previousId.current = session?.id ?? null;
  }, [client, session]);
}
