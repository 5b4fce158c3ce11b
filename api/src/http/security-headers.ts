import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import helmet from 'helmet';
import type { Config } from '../platform/config.js';
import { Refused } from '../platform/failures.js';

/** Allows only our own scripts, styles, fonts, images and sockets, and no framing. Made once for all requests. */
export function securityHeaders(config: Config): Record<string, string> {
  // 'self' covers ws: except in older Safari, which needs the socket's origin.
  const sockets = config.publicOrigins.map((origin) => origin.replace(/^http/, 'ws'));
  const addHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        scriptSrcAttr: ["'none'"],
        // Radix injects a <style> element for its scroll lock.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        mediaSrc: ["'self'", 'data:', 'blob:'],
        connectSrc: ["'self'", ...sockets],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(config.isHttpsOnly && { upgradeInsecureRequests: [] }),
      },
    },
    strictTransportSecurity: config.isHttpsOnly && { maxAge: 31_536_000, includeSubDomains: false },
    // The payment page opens in a new tab, which must keep its connection to ours.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    xFrameOptions: { action: 'deny' },
  });
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  addHeaders(request, response, (error) => {
    if (error) throw error;
  });
  return response.getHeaders() as Record<string, string>;
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a request comes from one of our own pages, by `Origin`, which a page cannot forge. One without `Origin` comes from another
 * program, or from the same page in an old browser: it is allowed unless `Sec-Fetch-Site` contradicts.
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

export const originCheck =
  (allowed: readonly string[]) =>
  ({ raw: request }: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    if (SAFE_METHODS.has(request.method ?? '') || isAllowedOrigin(request, allowed)) done();
    else done(new Refused('origin-not-allowed'));
  };
