import type { LedgerEventType } from '../../../../contracts/events/ledger-events.js';
import type { OurEvent } from '../../../../contracts/events/recorded.js';
import type { ActivityDescription } from './event-description.js';
import { replacedNote, ticketChange } from './formats.js';

type StreamEventType = Exclude<OurEvent['type'], LedgerEventType>;
type DataOf<T extends StreamEventType> = Extract<OurEvent, { type: T }>['data'];

/** Descriptions of the events outside the ledger. Only the activity log shows them. */
export const STREAM_DESCRIPTIONS: { readonly [T in StreamEventType]: ActivityDescription<DataOf<T>> } = {
  GamerRegistered: {},
  AdminSignedIn: { topic: 'gamers', activity: () => 'Signed in' },
  GamerRenamed: { topic: 'gamers', activity: (data) => `Renamed ${data.gamerTagBefore} to ${data.gamerTag}` },
  EmailChanged: {
    topic: 'gamers',
    activity: (data, { gamer }) => `Changed the email of ${gamer} from ${data.emailBefore} to ${data.email}`,
  },
  PasswordChanged: {
    topic: 'gamers',
    activity: (data, { gamer }) =>
      `Set a new password for ${gamer}${data.by === 'reset-link' ? ' by a mailed link' : ''}`,
  },
  RoleChanged: {
    topic: 'gamers',
    activity: (data, { gamer }) => `Changed the role of ${gamer} from ${data.roleBefore} to ${data.role}`,
  },
  WalletSaved: {
    activity: (data, { gamer }) => `Saved ${data.walletAddress} as the ${data.cryptoType} address of ${gamer}`,
  },
  PaymentOpened: {},
  CallbackReceived: {},
  PaymentSeen: {
    topic: 'money',
    activity: (data) => {
      const paid = `${data.actuallyPaid} ${data.payCurrency.toUpperCase()} paid`;
      return `Looked up payment ${data.paymentId}: ${data.gatewayStatus ?? data.status}, with ${paid}`;
    },
  },
  PaymentSettled: {},
  PaymentParked: {},
  PaymentExpired: {},
  TicketOpened: { topic: 'support', activity: (data) => `Opened the ticket "${data.subject}"` },
  TicketClosed: {
    topic: 'support',
    activity: (data, { before, gamer }) => ticketChange(before, gamer, 'closed', data.adminNotes),
  },
  TicketReopened: {
    topic: 'support',
    activity: (data, { before, gamer }) => ticketChange(before, gamer, 'open', data.adminNotes),
  },
  TicketNoted: {
    topic: 'support',
    activity: (data, { before, gamer }) => {
      const ticket = `${before?.ticket?.status} ticket "${before?.ticket?.subject}"`;
      return `Noted on the ${ticket} of ${gamer}${replacedNote(before, data.adminNotes)}`;
    },
  },
  PostPublished: { topic: 'community', activity: () => 'Posted to the community' },
  PostHidden: { topic: 'community', activity: (_, { gamer }) => `Hid a post of ${gamer}` },
};
