import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { Refused } from '../platform/failures.js';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a request comes from one of our own pages. Browsers send the page's origin in `Origin`, which a page cannot
 * forge. With an empty list, the origin's host must be the request's host. A request without `Origin` comes from another
 * program than a browser, or from the same page in an old browser: it is allowed unless `Sec-Fetch-Site` contradicts.
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

/** Refuses state-changing requests from pages of other sites (cross-site request forgery). */
export const originCheck =
  (allowed: readonly string[]) =>
  ({ raw: request }: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    if (SAFE_METHODS.has(request.method ?? '') || isAllowedOrigin(request, allowed)) done();
    else done(new Refused('origin-not-allowed'));
  };
