import type { CryptoType } from '../crypto.js';
import type { Role } from '../ids.js';
import { type DataByType, nullable, text, textOf } from './fields.js';
import type { EventOf } from './metadata.js';

/** The events of a stream `gamer-{id}`: a gamer's account. The stream is deleted with its gamer; the ledger keeps the id. */
export const GAMER_EVENT_FIELDS = {
  GamerRegistered: {
    gamerId: text,
    gamerTag: text,
    email: text,
    refCode: text,
    sponsorId: nullable(text),
    role: textOf<Role>(),
  },
  AdminLoggedIn: { gamerId: text },
  GamerRenamed: { gamerId: text, gamerTag: text, gamerTagBefore: text },
  EmailChanged: { gamerId: text, email: text, emailBefore: text },
  /** The gamer used a reset link or the current password, or the admin set one. The event never holds the password. */
  PasswordChanged: { gamerId: text, by: textOf<'reset-link' | 'admin' | 'gamer'>() },
  RoleChanged: { gamerId: text, role: textOf<Role>(), roleBefore: textOf<Role>() },
  WalletSaved: { gamerId: text, cryptoType: textOf<CryptoType>(), walletAddress: text },
};

export type GamerEvents = DataByType<typeof GAMER_EVENT_FIELDS>;

export type GamerEvent = EventOf<GamerEvents>;

/** The events of a stream `ticket-{id}`: one support ticket. The stream is deleted with its gamer. */
export const TICKET_EVENT_FIELDS = {
  TicketOpened: { ticketId: text, gamerId: text, subject: text, message: text },
  /** The admin set the status, with or without notes; the gamer reads them (decision 36). */
  TicketClosed: { ticketId: text, adminNotes: nullable(text) },
  TicketReopened: { ticketId: text, adminNotes: nullable(text) },
  /** The admin answered, and left the status. */
  TicketNoted: { ticketId: text, adminNotes: nullable(text) },
  /** The ticket's gamer wrote again, which opens a closed ticket. */
  TicketContinued: { ticketId: text, message: text },
};

export type TicketEvents = DataByType<typeof TICKET_EVENT_FIELDS>;

export type TicketEvent = EventOf<TicketEvents>;

/** The events of a stream `post-{id}`, which is tombstoned with its gamer. */
export const COMMUNITY_EVENT_FIELDS = {
  PostPublished: { postId: text, gamerId: text, message: text },
  PostHidden: { postId: text, reason: text },
};

export type CommunityEvents = DataByType<typeof COMMUNITY_EVENT_FIELDS>;

export type CommunityEvent = EventOf<CommunityEvents>;
