import type { RequestHandler } from 'express';
import session from 'express-session';
import type { Config } from '../config.js';
import type { SessionStore } from './session-store.js';

export const SESSION_COOKIE = 'omni.sid';
const SESSION_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

/** Scripts cannot read the cookie, other sites' requests do not carry it, and with https it travels on nothing else. */
export function sessionCookie(config: Config): session.CookieOptions {
  const allowsHttps = config.publicOrigins.some((origin) => origin.startsWith('https://'));
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: config.isHttpsOnly || (allowsHttps && 'auto') };
}

/** One instance serves both HTTP and the sockets. Nobody has a session, or a cookie, before logging in. */
export const sessionMiddleware = (config: Config, store: SessionStore): RequestHandler =>
  session({
    name: SESSION_COOKIE,
    secret: config.sessionSecret,
    store,
    resave: false,
    saveUninitialized: false,
    cookie: { ...sessionCookie(config), maxAge: SESSION_LIFETIME_MS },
  });
