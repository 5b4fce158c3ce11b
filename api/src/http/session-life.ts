import type { Request, Response } from 'express';
import type { GamerId } from '../../../contracts/ids.js';
import { COOKIE_ATTRIBUTES, SESSION_COOKIE } from './session-middleware.js';

/** Begins a session under a new id, so that one planted in the browser before is worth nothing. */
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
