import { randomUUID } from 'node:crypto';
import { applyDecorators, createParamDecorator, type ExecutionContext, HttpCode, Post } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { IDEMPOTENCY_KEY } from '../../../contracts/http/headers.js';
import type { CommandId, GamerId, Power, Role } from '../../../contracts/ids.js';
import type { CommandMetadata } from '../../../domain/ledger/ledger-commands.js';
import { Refused } from '../platform/failures.js';
import { arrivalOf } from './arrival.js';

/** A login that has not ended. */
export interface Session {
  sid: string;
  gamerId: GamerId;
  /** Whether the session ends like a staff member's: after 30 idle minutes, and after 12 hours at the latest. */
  isStaff: boolean;
  hasSecondFactor: boolean;
  /** Time until which the last login or step-up counts, by performance.now(). */
  provedUntilMonotonicMs: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The route's pattern, '/api/gamer/:id' for example; 'none' for an unknown path. */
    route: string;
    session: Session | null;
    gamer: SessionGamer | null;
  }
}

/** The gamer a session belongs to. The role is the account's current one, at most seconds old, not the role at login. */
export interface SessionGamer {
  gamerId: GamerId;
  gamerTag: string;
  role: Role;
  /** A staff member who may only enrol a second factor, or enter its code. */
  needsSecondFactor: boolean;
  /** The ledger's powers of an operator; all others have none. */
  powers: readonly Power[];
}

/** Finds the gamer of a session; `AccountsStore` implements it. */
export abstract class SessionGamers {
  /** Null without a session, after its account was deleted, or when it is older than the role allows. */
  abstract gamerOfSession(session: Session | null): SessionGamer | null | Promise<SessionGamer | null>;
}

export function gamerOfRequest(_data: unknown, context: ExecutionContext): SessionGamer {
  const { gamer } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!gamer) throw new Error('the route has no guard: add @UseGuards(LoggedIn), AuditorOrAdmin or AdminOnly');
  return gamer;
}

/** The session's gamer. Needs @UseGuards(LoggedIn) or a stricter guard. */
export const CurrentGamer = createParamDecorator(gamerOfRequest);

/** A POST that responds with 200 instead of 201. */
export const PostCommand = (path: string): MethodDecorator => applyDecorators(Post(path), HttpCode(200));

const COMMAND_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** The request's `Idempotency-Key`, or a fresh UUID without one. For routes that need no session. */
export const IdempotencyKey = createParamDecorator(commandIdOf);

/** The session's gamer as the command's actor, the command id and the request's arrival. Needs @UseGuards(LoggedIn) or a stricter guard. */
export const Metadata = createParamDecorator(metadataOf);

export function commandIdOf(_data: unknown, context: ExecutionContext): CommandId {
  const key = context.switchToHttp().getRequest<FastifyRequest>().headers[IDEMPOTENCY_KEY.toLowerCase()];
  if (key === undefined) return randomUUID();
  if (typeof key !== 'string' || !COMMAND_ID.test(key)) throw new Refused('invalid-idempotency-key');
  return key;
}

export function metadataOf(data: unknown, context: ExecutionContext): CommandMetadata {
  const { gamerId, role } = gamerOfRequest(data, context);
  const { raw, headers } = context.switchToHttp().getRequest<FastifyRequest>();
  const expectedVersion = headers['if-match'];
  return {
    actor: { id: gamerId, role },
    commandId: commandIdOf(data, context),
    receivedAtMs: arrivalOf(raw),
    ...(expectedVersion !== undefined && { expectedVersion }),
  };
}

export function mustBeOwn(sessionGamerId: GamerId, gamerId: GamerId): void {
  if (sessionGamerId !== gamerId) throw new Refused('not-yours');
}

export function mustBeOwnOrAdmin(gamer: SessionGamer, gamerId: GamerId, power?: Power): void {
  const isAllowed = gamer.role === 'admin' || (power !== undefined && gamer.powers.includes(power));
  if (!isAllowed) mustBeOwn(gamer.gamerId, gamerId);
}

const checkedId = (check: (gamer: SessionGamer, id: GamerId, power?: Power) => void) =>
  createParamDecorator((power: Power | undefined, context: ExecutionContext): GamerId => {
    const { id } = context.switchToHttp().getRequest<FastifyRequest<{ Params: { id: GamerId } }>>().params;
    check(gamerOfRequest(power, context), id, power);
    return id;
  });

/** The path's `:id`, which must be the session's gamer. Needs @UseGuards(LoggedIn) or a stricter guard. */
export const OwnId = checkedId(({ gamerId }, id) => mustBeOwn(gamerId, id));

/** The path's `:id`: the session's gamer; any gamer for the admin, and for operators with the power that is named. */
export const OwnIdOrAdmin = checkedId(mustBeOwnOrAdmin);
