import type { CryptoType } from '../crypto.js';
import type { GamerId, Role } from '../ids.js';

/** The events of a stream `gamer-{id}`: a gamer's account. The stream is deleted with its gamer; the ledger keeps the id. */

export interface GamerRegistered {
  type: 'GamerRegistered';
  data: { gamerId: GamerId; gamerTag: string; email: string; refCode: string; sponsorId: GamerId | null; role: Role };
}

/** An admin logged in. */
export interface AdminSignedIn {
  type: 'AdminSignedIn';
  data: { gamerId: GamerId };
}

export interface GamerRenamed {
  type: 'GamerRenamed';
  data: { gamerId: GamerId; gamerTag: string; gamerTagBefore: string };
}

export interface EmailChanged {
  type: 'EmailChanged';
  data: { gamerId: GamerId; email: string; emailBefore: string };
}

/** The gamer used a reset link, or the admin set a password. The event never holds the password. */
export interface PasswordChanged {
  type: 'PasswordChanged';
  data: { gamerId: GamerId; by: 'reset-link' | 'admin' };
}

export interface RoleChanged {
  type: 'RoleChanged';
  data: { gamerId: GamerId; role: Role; roleBefore: Role };
}

/** The address a gamer wants withdrawals in this coin sent to. */
export interface WalletSaved {
  type: 'WalletSaved';
  data: { gamerId: GamerId; cryptoType: CryptoType; walletAddress: string };
}

export type GamerEvent =
  | GamerRegistered
  | AdminSignedIn
  | GamerRenamed
  | EmailChanged
  | PasswordChanged
  | RoleChanged
  | WalletSaved;
