import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Config } from '../config.js';

/** Pages run our own scripts, styles, fonts, pictures and sockets, and may not be framed. */
export function securityHeaders(config: Config): RequestHandler {
  // 'self' covers ws: in today's browsers; older Safari wants the socket's origin named.
  const sockets = config.publicOrigins.map((origin) => origin.replace(/^http/, 'ws'));
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        scriptSrcAttr: ["'none'"],
        // Radix puts its scroll lock into a <style> element of its own.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        mediaSrc: ["'self'", 'data:', 'blob:'],
        connectSrc: ["'self'", ...sockets],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(config.isHttpsOnly && { upgradeInsecureRequests: [] }),
      },
    },
    strictTransportSecurity: config.isHttpsOnly && { maxAge: 31_536_000, includeSubDomains: false },
    // The payment page opens in a new tab of ours and must be able to come back.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    xFrameOptions: { action: 'deny' },
  });
}
