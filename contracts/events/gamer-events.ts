import type { CryptoType } from '../crypto.js';
import type { GamerId, PostId, Role, TicketId } from '../ids.js';
import type { EventOf } from './metadata.js';

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
  AdminLoggedIn: { gamerId: GamerId };
  GamerRenamed: { gamerId: GamerId; gamerTag: string; gamerTagBefore: string };
  EmailChanged: { gamerId: GamerId; email: string; emailBefore: string };
  /** The gamer used a reset link or the current password, or the admin set one. The event never holds the password. */
  PasswordChanged: { gamerId: GamerId; by: 'reset-link' | 'admin' | 'gamer' };
  RoleChanged: { gamerId: GamerId; role: Role; roleBefore: Role };
  /** The address a gamer wants withdrawals in this coin sent to. */
  WalletSaved: { gamerId: GamerId; cryptoType: CryptoType; walletAddress: string };
}

export type GamerEvent = EventOf<GamerEvents>;

/** The events of a stream `ticket-{id}`: one support ticket. The stream is deleted with its gamer. */
export interface TicketEvents {
  TicketOpened: { ticketId: TicketId; gamerId: GamerId; subject: string; message: string };
  /** The admin set the status, with or without notes; the gamer reads them (decision 36). */
  TicketClosed: { ticketId: TicketId; adminNotes: string | null };
  TicketReopened: { ticketId: TicketId; adminNotes: string | null };
  /** The admin answered, and left the status. */
  TicketNoted: { ticketId: TicketId; adminNotes: string | null };
  /** Its gamer wrote again, which opens a closed ticket. */
  TicketContinued: { ticketId: TicketId; message: string };
}

export type TicketEvent = EventOf<TicketEvents>;

/** The events of a stream `post-{id}`, which is tombstoned with its gamer. */
export interface CommunityEvents {
  PostPublished: { postId: PostId; gamerId: GamerId; message: string };
  /** The admin took a post out of everyone's sight. */
  PostHidden: { postId: PostId; reason: string };
}

export type CommunityEvent = EventOf<CommunityEvents>;
