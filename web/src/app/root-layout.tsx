import { Outlet } from '@tanstack/react-router';
import { useRecentPurchasesSync } from '../features/purchases/purchases.queries.js';
import { useWinnersSync } from '../features/winners/winners.queries.js';
import { useBoardSync } from '../shared/board/board.queries.js';
import { useGamerSync } from '../shared/session/gamer.queries.js';
import { Announcer } from '../shared/ui/announcer.js';
import { Toasts } from '../shared/ui/toasts.js';
import { ConnectionBanner } from './connection-banner.js';
import { SkipLink } from './skip-link.js';
import { useSessionEnd } from './use-session-end.js';

/** What every page has: the connection's banner, toasts, the voice for screen readers, and data kept live. */
export function RootLayout() {
  useBoardSync();
  useGamerSync();
  useRecentPurchasesSync();
  useWinnersSync();
  useSessionEnd();
  return (
    <>
      <SkipLink />
      <ConnectionBanner />
      <Outlet />
      <Toasts />
      <Announcer />
    </>
  );
}
