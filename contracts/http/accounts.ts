import type { GamerId, Role } from '../ids.js';

/** POST /api/register */
export interface RegisterRequest {
  username: string;
  email: string;
  password: string;
  referralCode?: string | null;
}

/** POST /api/login */
export interface LoginRequest {
  username: string;
  password: string;
}

/** The answer of register and login. */
export interface GamerSession {
  id: GamerId;
  gamerTag: string;
  email: string;
  refCode: string;
  role: Role;
}

/** GET /api/auth/status */
export type AuthStatus = { isAuthenticated: false } | ({ isAuthenticated: true } & GamerSession);

/** GET /api/ref/{code} */
export interface ReferralLookup {
  exists: boolean;
  ownerUsername: string | null;
}
