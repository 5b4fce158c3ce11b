import type { CryptoType } from '../crypto.js';
import type { GamerId, Role } from '../ids.js';
import type { EventOf } from './event-of.js';

/** The events of a stream `gamer-{id}`: a gamer's account. The stream is deleted with its gamer; the ledger keeps the id. */
export interface GamerEvents {
  GamerRegistered: {
    gamerId: GamerId;
    gamerTag: string;
    email: string;
    refCode: string;
    sponsorId: GamerId | null;
    role: Role;
  };
  /** An admin logged in. */
  AdminSignedIn: { gamerId: GamerId };
  GamerRenamed: { gamerId: GamerId; gamerTag: string; gamerTagBefore: string };
  EmailChanged: { gamerId: GamerId; email: string; emailBefore: string };
  /** The gamer used a reset link or the current password, or the admin set one. The event never holds the password. */
  PasswordChanged: { gamerId: GamerId; by: 'reset-link' | 'admin' | 'gamer' };
  RoleChanged: { gamerId: GamerId; role: Role; roleBefore: Role };
  /** The address a gamer wants withdrawals in this coin sent to. */
  WalletSaved: { gamerId: GamerId; cryptoType: CryptoType; walletAddress: string };
}

export type GamerEvent = EventOf<GamerEvents>;
