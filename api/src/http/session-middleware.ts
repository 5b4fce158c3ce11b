import type { RequestHandler } from 'express';
import session from 'express-session';
import type { Config } from '../config.js';
import type { SessionStore } from './session-store.js';

export const SESSION_COOKIE = 'omni.sid';
const SESSION_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

/** Scripts cannot read the cookie, and other sites' requests do not carry it. */
export const COOKIE_ATTRIBUTES = { httpOnly: true, sameSite: 'lax', path: '/' } as const;

/** With https the cookie travels on nothing else; where both are public, it depends on how the request came. */
function secure(config: Config): boolean | 'auto' {
  return config.isHttpsOnly || (config.publicOrigins.some((origin) => origin.startsWith('https://')) && 'auto');
}

/** One instance serves both HTTP and the sockets. Nobody has a session, or a cookie, before logging in. */
export const sessionMiddleware = (config: Config, store: SessionStore): RequestHandler =>
  session({
    name: SESSION_COOKIE,
    secret: config.sessionSecret,
    store,
    resave: false,
    saveUninitialized: false,
    cookie: { ...COOKIE_ATTRIBUTES, secure: secure(config), maxAge: SESSION_LIFETIME_MS },
  });
