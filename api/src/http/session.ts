import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { GamerId, Role } from '../../../contracts/ids.js';
import { AccountsStore } from '../accounts/accounts.store.js';
import { Refused } from './refused.js';

/** Who is asking. The role is the account's own, seconds old at most, not what it was at login. */
export interface GamerOfSession {
  gamerId: GamerId;
  gamerTag: string;
  role: Role;
}

type SessionRequest = Request & { gamer?: GamerOfSession };

/** Lets through whoever has a session and still has an account; 401 otherwise. */
@Injectable()
export class LoggedIn implements CanActivate {
  constructor(private readonly accounts: AccountsStore) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await identify(context, this.accounts);
    return true;
  }
}

/** Lets through the admin; 401 without a session, 403 for anyone else. */
@Injectable()
export class AdminOnly implements CanActivate {
  constructor(private readonly accounts: AccountsStore) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const gamer = await identify(context, this.accounts);
    if (gamer.role !== 'admin') throw new Refused('admin-only');
    return true;
  }
}

/** Lets through auditors and the admin (decision 35); 401 without a session, 403 for anyone else. */
@Injectable()
export class AuditorOrAdmin implements CanActivate {
  constructor(private readonly accounts: AccountsStore) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { role } = await identify(context, this.accounts);
    if (role !== 'auditor' && role !== 'admin') throw new Refused('auditor-only');
    return true;
  }
}

async function identify(context: ExecutionContext, accounts: AccountsStore): Promise<GamerOfSession> {
  const request = context.switchToHttp().getRequest<SessionRequest>();
  const gamer = await accounts.gamerOfSession(request.session?.gamerId);
  if (!gamer) throw new Refused('not-logged-in');
  request.gamer = gamer;
  return gamer;
}

/** The session's gamer, behind the guard LoggedIn or AdminOnly. */
export const CurrentSession = createParamDecorator((_data: unknown, context: ExecutionContext): GamerOfSession => {
  const { gamer } = context.switchToHttp().getRequest<SessionRequest>();
  if (!gamer) throw new Error('@CurrentSession needs @UseGuards(LoggedIn) or AdminOnly on the handler');
  return gamer;
});

/** Refuses an id that is not the session's own. */
export function own(session: GamerOfSession, gamerId: GamerId): void {
  if (session.gamerId !== gamerId) throw new Refused('not-yours');
}

/** Refuses an id that is not the session's own, unless the admin asks. */
export function ownOrAdmin(session: GamerOfSession, gamerId: GamerId): void {
  if (session.role !== 'admin') own(session, gamerId);
}
