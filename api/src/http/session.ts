import { randomUUID } from 'node:crypto';
import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { IDEMPOTENCY_KEY } from '../../../contracts/http/headers.js';
import { type GamerId, type CommandId as Id, isStaff, type Power, type Role } from '../../../contracts/ids.js';
import type { PlainRefusalCode } from '../../../contracts/refusals.js';
import type { CommandMetadata } from '../../../domain/ledger/ledger-commands.js';
import { Refused } from '../platform/failures.js';
import { arrivalOf } from './arrival.js';

/** A login that has not ended. */
export interface Session {
  sid: string;
  gamerId: GamerId;
  /** Whether it has the ends of a staff member's session. */
  isStaff: boolean;
  /** Whether the gamer proved a second factor in it. */
  hasSecondFactor: boolean;
  /** Until then its last login or step-up counts, by performance.now(). */
  provedUntilMonotonicMs: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The route's pattern, '/api/gamer/:id' for example; 'none' for an unknown path. */
    route: string;
    session: Session | null;
    /** Set by the guards. */
    gamer: SessionGamer | null;
  }
}

/** The gamer a session belongs to. The role is the account's present one, at most seconds old, not the role at login. */
export interface SessionGamer {
  gamerId: GamerId;
  gamerTag: string;
  role: Role;
  /** A staff member who may only enrol a second factor, or enter its code. */
  needsSecondFactor: boolean;
  /** The ledger's powers of an operator; all others have none. */
  powers: readonly Power[];
}

/** Finds the gamer of a session; `accounts/` implements it. */
export abstract class SessionGamers {
  /** Null when there is no session, its account is gone, or it is too long a session for the account's role. */
  abstract gamerOfSession(session: Session | null): SessionGamer | null | Promise<SessionGamer | null>;
}

/** Admits every session that still has an account; refuses with 401 otherwise. */
@Injectable()
export class LoggedIn implements CanActivate {
  protected readonly refusal: PlainRefusalCode = 'not-logged-in';
  protected readonly isForEnrolment: boolean = false;

  constructor(private readonly gamers: SessionGamers) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const gamer = await this.gamers.gamerOfSession(request.session);
    if (!gamer) throw new Refused(this.refusal);
    if (gamer.needsSecondFactor && !this.isForEnrolment) throw new Refused('second-factor-required');
    this.admit(gamer);
    request.gamer = gamer;
    return true;
  }

  /** Throws Refused for a role the guard does not admit. */
  protected admit(_gamer: SessionGamer): void {}
}

/** The guard LoggedIn with the specification's own text for a missing session. */
export function loggedInOr(code: PlainRefusalCode): Type<LoggedIn> {
  @Injectable()
  class LoggedInOr extends LoggedIn {
    protected override readonly refusal = code;
  }
  return LoggedInOr;
}

/** Admits the admin; 401 without a session, 403 for every other role. */
@Injectable()
export class AdminOnly extends LoggedIn {
  protected override admit({ role }: SessionGamer): void {
    if (role !== 'admin') throw new Refused('admin-only');
  }
}

/** Admits the admin, and operators with one of the powers (decision 50); 401 without a session, 403 for all others. */
export abstract class AdminOrOperator extends LoggedIn {
  protected abstract readonly powers: readonly Power[];

  protected override admit({ role, powers }: SessionGamer): void {
    if (role === 'admin') return;
    if (role !== 'operator') throw new Refused('admin-only');
    if (!this.powers.some((power) => powers.includes(power))) throw new Refused('power-missing');
  }
}

export function adminOr(...powers: readonly Power[]): Type<AdminOrOperator> {
  @Injectable()
  class AdminOr extends AdminOrOperator {
    protected override readonly powers = powers;
  }
  return AdminOr;
}

/** Admits auditors and the admin (decision 35); 401 without a session, 403 for every other role. */
@Injectable()
export class AuditorOrAdmin extends LoggedIn {
  protected override admit({ role }: SessionGamer): void {
    if (role !== 'auditor' && role !== 'admin') throw new Refused('auditor-only');
  }
}

/** Admits staff, also those who have to enrol a second factor; 401 without a session, 403 for gamers. */
@Injectable()
export class StaffEnrolling extends LoggedIn {
  protected override readonly isForEnrolment = true;

  protected override admit({ role }: SessionGamer): void {
    if (!isStaff(role)) throw new Refused('staff-only');
  }
}

/** Admits a login or step-up of the last ten minutes, else 403 `step-up-required`. Use it after a role's guard. */
@Injectable()
export class SteppedUp implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    mustBeSteppedUp(context.switchToHttp().getRequest<FastifyRequest>().session);
    return true;
  }
}

export function mustBeSteppedUp(session: Session | null): void {
  if (!session || session.provedUntilMonotonicMs <= performance.now()) throw new Refused('step-up-required');
}

export function gamerOfRequest(_data: unknown, context: ExecutionContext): SessionGamer {
  const { gamer } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!gamer) throw new Error('the route has no guard: add @UseGuards(LoggedIn), AuditorOrAdmin or AdminOnly');
  return gamer;
}

/** The session's gamer. Needs @UseGuards(LoggedIn) or a stricter guard. */
export const CurrentSession = createParamDecorator(gamerOfRequest);

const COMMAND_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** The request's `Idempotency-Key`, or a fresh UUID without one. For routes that need no session. */
export const CommandId = createParamDecorator(commandIdOf);

/** The session's gamer as the command's actor, the command id and the request's arrival. Needs @UseGuards(LoggedIn) or a stricter guard. */
export const Metadata = createParamDecorator(metadataOf);

export function commandIdOf(_data: unknown, context: ExecutionContext): Id {
  const key = context.switchToHttp().getRequest<FastifyRequest>().headers[IDEMPOTENCY_KEY.toLowerCase()];
  if (key === undefined) return randomUUID();
  if (typeof key !== 'string' || !COMMAND_ID.test(key)) throw new Refused('invalid-idempotency-key');
  return key;
}

export function metadataOf(data: unknown, context: ExecutionContext): CommandMetadata {
  const { gamerId, role } = gamerOfRequest(data, context);
  const { raw, headers } = context.switchToHttp().getRequest<FastifyRequest>();
  const version = headers['if-match'];
  return {
    actor: { id: gamerId, role },
    commandId: commandIdOf(data, context),
    receivedAtMs: arrivalOf(raw),
    ...(version !== undefined && { version }),
  };
}

export function mustBeOwn(sessionGamerId: GamerId, gamerId: GamerId): void {
  if (sessionGamerId !== gamerId) throw new Refused('not-yours');
}

export function mustBeOwnOrAdmin(session: SessionGamer, gamerId: GamerId): void {
  if (session.role !== 'admin') mustBeOwn(session.gamerId, gamerId);
}
