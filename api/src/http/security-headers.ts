import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Config } from '../platform/config.js';

/** Allows pages only our own scripts, styles, fonts, images and sockets, and forbids framing. */
export function securityHeaders(config: Config): RequestHandler {
  // 'self' covers ws: except in older Safari, which needs the socket's origin.
  const sockets = config.publicOrigins.map((origin) => origin.replace(/^http/, 'ws'));
  return helmet({
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
        baseUri: ["'self'"],
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
}
