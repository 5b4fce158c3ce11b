import { type CanActivate, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { isStaff, type Power } from '../../../contracts/ids.js';
import type { PlainRefusalCode } from '../../../contracts/refusals.js';
import { Refused } from '../platform/failures.js';
import { type Session, type SessionGamer, SessionGamers } from './session.js';

/** The least role that a guard admits, as the OpenAPI document says it. */
export type Audience = 'gamer' | 'auditor' | 'operator' | 'admin';
export type RoleGuard = Type<CanActivate> & { audience: Audience };

/**
 * A guard that admits every session that still has an account, unless `refusalOf` refuses its gamer with 403. `loggedOut`: the refusal
 * without a session. `isForEnrolment`: it admits staff who have to enrol a second factor first.
 */
function guard(
  audience: Audience,
  refusalOf: (gamer: SessionGamer) => PlainRefusalCode | null,
  { loggedOut = 'not-logged-in' as PlainRefusalCode, isForEnrolment = false } = {},
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

/** Admits the admin, and operators with one of the powers (decision 50a). */
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
