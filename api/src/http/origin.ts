import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { Refused } from './refused.js';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a request comes from one of our own pages. A browser names the page's origin in `Origin`, which no page can
 * forge; without any allowed list the page must be on the host that was asked. No `Origin` at all is a program that is
 * not a browser, or an old browser's request from the page itself: fine unless `Sec-Fetch-Site` says otherwise.
 */
export function isAllowedOrigin(request: IncomingMessage, allowed: readonly string[]): boolean {
  const origin = request.headers.origin;
  if (origin === undefined) {
    const site = request.headers['sec-fetch-site'];
    return site === undefined || site === 'same-origin';
  }
  if (allowed.length > 0) return allowed.includes(origin);
  return URL.canParse(origin) && new URL(origin).host === request.headers.host;
}

/** Refuses state-changing requests that were sent from somebody else's page (cross-site request forgery). */
export const originCheck =
  (allowed: readonly string[]) =>
  (request: Request, _response: Response, next: NextFunction): void => {
    if (SAFE_METHODS.has(request.method) || isAllowedOrigin(request, allowed)) next();
    else next(new Refused('origin-not-allowed'));
  };
