import { useQueryClient } from '@tanstack/react-query';
import type { AuthStatus, GamerSession } from '../../../../contracts/http/gamers.js';
import { get, send } from '../../shared/api/api-client.js';
import { reopenSocket } from '../../shared/live/live-socket.js';
import { changingSession, sessionQuery } from '../../shared/session.queries.js';

/** Says that the browser, or something between it and the server, keeps no cookie. */
export class CookieProblem extends Error {}

export const ALLOW_COOKIES =
  'Please allow cookies for this site: without a cookie your browser cannot keep you logged in.';
const REGISTERED_WITHOUT_COOKIE =
  'Your account was created, but your browser kept no cookie: please allow cookies for this site, then log in.';

export function keepsCookies(): boolean {
  const probe = 'omni.probe=1';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in older browsers
  document.cookie = `${probe}; Path=/; SameSite=Lax; Max-Age=5`;
  return document.cookie.includes(probe);
}

/** Returns a function that sends a login or registration, and starts its session. A CookieProblem says: no cookies. */
export function useSessionStart<Request>(path: '/api/login' | '/api/register') {
  const client = useQueryClient();
  return (request: Request) =>
    changingSession(async () => {
      if (!keepsCookies()) throw new CookieProblem(ALLOW_COOKIES);
      const gamer = await send<GamerSession>('POST', path, request);
      const status = await get<AuthStatus>(sessionQuery.queryKey).catch(() => null);
      if (status?.isAuthenticated === false)
        throw new CookieProblem(path === '/api/register' ? REGISTERED_WITHOUT_COOKIE : ALLOW_COOKIES);
      client.setQueryData(sessionQuery.queryKey, { isAuthenticated: true, ...gamer });
      reopenSocket();
      return gamer;
    });
}
