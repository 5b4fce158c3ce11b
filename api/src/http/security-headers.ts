import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { Config } from '../platform/config.js';

/**
 * The headers of every response. They allow pages only our own scripts, styles, fonts, images and sockets, and forbid
 * framing. Helmet makes them once, because they are the same for every request.
 */
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
