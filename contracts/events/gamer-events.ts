import type { GamerId, Role } from '../ids.js';

/** The events of a stream `gamer-{id}`: who a gamer is. The stream is deleted with its gamer; the ledger keeps the id. */

export interface GamerRegistered {
  type: 'GamerRegistered';
  data: { gamerId: GamerId; gamerTag: string; email: string; refCode: string; sponsorId: GamerId | null; role: Role };
}

/** An admin's session began. */
export interface AdminSignedIn {
  type: 'AdminSignedIn';
  data: { gamerId: GamerId };
}

export type GamerEvent = GamerRegistered | AdminSignedIn;
