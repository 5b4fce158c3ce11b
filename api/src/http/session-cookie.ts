import type { Request, RequestHandler, Response } from 'express';
import session from 'express-session';
import type { GamerId } from '../../../contracts/ids.js';
import type { Config } from '../platform/config.js';
import type { SessionStore } from './session-store.js';

export const SESSION_COOKIE = 'omni.sid';
const SESSION_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

/** Hidden from scripts, and not sent with requests of other sites. */
const COOKIE_ATTRIBUTES = { httpOnly: true, sameSite: 'lax', path: '/' } as const;

/** The cookie attribute `Secure`: set when all public origins are https; when only some are, set on https requests. */
function secure(config: Config): boolean | 'auto' {
  return config.isHttpsOnly || (config.publicOrigins.some((origin) => origin.startsWith('https://')) && 'auto');
}

/** One instance for HTTP and sockets. A visitor gets no session and no cookie before login. */
export const sessionMiddleware = (config: Config, store: SessionStore): RequestHandler =>
  session({
    name: SESSION_COOKIE,
    secret: config.sessionSecret,
    store,
    resave: false,
    saveUninitialized: false,
    cookie: { ...COOKIE_ATTRIBUTES, secure: secure(config), maxAge: SESSION_LIFETIME_MS },
  });

/** Begins a session under a new id, against session fixation. */
export async function beginSession(request: Request, gamerId: GamerId): Promise<void> {
  await settled((done) => request.session.regenerate(done));
  request.session.gamerId = gamerId;
  await settled((done) => request.session.save(done));
}

export async function endSession(request: Request, response: Response): Promise<void> {
  await settled((done) => request.session.destroy(done));
  response.clearCookie(SESSION_COOKIE, { ...COOKIE_ATTRIBUTES, secure: request.secure });
}

const settled = (work: (done: (error: unknown) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => work((error) => (error ? reject(error as Error) : resolve())));
