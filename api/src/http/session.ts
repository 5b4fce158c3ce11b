import { randomUUID } from 'node:crypto';
import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  HttpCode,
  Injectable,
  Post,
  type Type,
} from '@nestjs/common';
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

/** The least role that a guard admits, as the OpenAPI document says it. */
export type Audience = 'gamer' | 'auditor' | 'operator' | 'admin';
export type RoleGuard = Type<CanActivate> & { audience: Audience };

interface GuardOptions {
  /** The refusal without a session, 401. */
  loggedOut?: PlainRefusalCode;
  /** Whether it admits staff who have to enrol a second factor first. */
  isForEnrolment?: boolean;
}

/** A guard that admits every session that still has an account, unless `refusalOf` refuses its gamer with 403. */
function guard(
  audience: Audience,
  refusalOf: (gamer: SessionGamer) => PlainRefusalCode | null,
  { loggedOut = 'not-logged-in', isForEnrolment = false }: GuardOptions = {},
): RoleGuard {
  @Injectable()
  class Guard implements CanActivate {
    static readonly audience = audience;

    constructor(private readonly gamers: SessionGamers) {}

    async canActivate(context: ExecutionContext): Promise<boolean> {
      const request = context.switchToHttp().getRequest<FastifyRequest>();
      const gamer = await this.gamers.gamerOfSession(request.session);
      if (!gamer) throw new Refused(loggedOut);
      if (gamer.needsSecondFactor && !isForEnrolment) throw new Refused('second-factor-required');
      const refusal = refusalOf(gamer);
      if (refusal) throw new Refused(refusal);
      request.gamer = gamer;
      return true;
    }
  }
  return Guard;
}

export const LoggedIn = guard('gamer', () => null);

/** The guard LoggedIn with the specification's own text for a missing session. */
export const loggedInOr = (loggedOut: PlainRefusalCode): RoleGuard => guard('gamer', () => null, { loggedOut });

export const AdminOnly = guard('admin', ({ role }) => (role === 'admin' ? null : 'admin-only'));

/** Admits the admin, and operators with one of the powers (decision 50). */
export const adminOr = (...powers: readonly Power[]): RoleGuard =>
  guard('operator', ({ role, powers: own }) => {
    if (role === 'admin') return null;
    if (role !== 'operator') return 'admin-only';
    return powers.some((power) => own.includes(power)) ? null : 'power-missing';
  });

/** Decision 35. */
export const AuditorOrAdmin = guard('auditor', ({ role }) =>
  role === 'auditor' || role === 'admin' ? null : 'auditor-only',
);

/** Admits staff, also those who have to enrol a second factor. */
export const StaffEnrolling = guard('auditor', ({ role }) => (isStaff(role) ? null : 'staff-only'), {
  isForEnrolment: true,
});

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

/** A POST that creates nothing of its own: it answers 200. */
export const PostCommand = (path: string): MethodDecorator => applyDecorators(Post(path), HttpCode(200));

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

const checkedId = (check: (gamer: SessionGamer, id: GamerId) => void) =>
  createParamDecorator((data: unknown, context: ExecutionContext): GamerId => {
    const { id } = context.switchToHttp().getRequest<FastifyRequest<{ Params: { id: GamerId } }>>().params;
    check(gamerOfRequest(data, context), id);
    return id;
  });

/** The path's `:id`, which must be the session's gamer. Needs @UseGuards(LoggedIn) or a stricter guard. */
export const OwnId = checkedId(({ gamerId }, id) => mustBeOwn(gamerId, id));

/** The path's `:id`: the session's gamer, or for the admin any gamer. */
export const OwnIdOrAdmin = checkedId(mustBeOwnOrAdmin);
