/*
 * The golden files of gamers, payments, tickets and the community: one story in many streams, each event as the log of its
 * day holds it. Code may change; these do not (see golden-events.spec.ts, which tells the ledger's).
 */
import { evolvePayment, type PaymentState, unknownPayment, unsettled } from '../../domain/payments.js';
import { evolvePost, type PostState } from '../../domain/posts.js';
import { evolveTicket, type TicketState } from '../../domain/tickets.js';
import { COMMUNITY_STREAM, gamerStream, paymentStream, ticketStream } from '../streams.js';
import type { CommunityEvent } from './community-events.js';
import type { GamerEvent } from './gamer-events.js';
import type { PaymentEvent } from './payment-events.js';
import { describeShapes, eventsOf, typesInFiles } from './testing/golden.js';
import { coin, oneOf, orNull, purpose, reviewReason, type Shape, text, whole } from './testing/shapes.js';
import type { TicketEvent } from './ticket-events.js';

type StreamEvent = GamerEvent | PaymentEvent | TicketEvent | CommunityEvent;
type Shapes<E extends StreamEvent> = { [T in E['type']]: Shape<Extract<E, { type: T }>['data']> };

const role = oneOf('gamer', 'admin', 'auditor');
const notes = { ticketId: text, adminNotes: orNull(text) };

const gamerShapes: Shapes<GamerEvent> = {
  GamerRegistered: { gamerId: text, gamerTag: text, email: text, refCode: text, sponsorId: orNull(text), role },
  AdminSignedIn: { gamerId: text },
  GamerRenamed: { gamerId: text, gamerTag: text, gamerTagBefore: text },
  EmailChanged: { gamerId: text, email: text, emailBefore: text },
  PasswordChanged: { gamerId: text, by: oneOf('reset-link', 'admin') },
  RoleChanged: { gamerId: text, role, roleBefore: role },
  WalletSaved: { gamerId: text, cryptoType: coin, walletAddress: text },
};
const paymentShapes: Shapes<PaymentEvent> = {
  PaymentOpened: {
    orderId: text,
    purpose,
    gamerId: text,
    amountCents: whole,
    feeCents: whole,
    cryptoType: coin,
    quantity: orNull(whole),
    roundId: orNull(whole),
    invoiceId: text,
    paymentId: text,
    paymentUrl: text,
    payAddress: text,
    payAmount: text,
  },
  CallbackReceived: { orderId: text, body: text },
  PaymentSeen: {
    orderId: text,
    paymentId: text,
    parentPaymentId: orNull(text),
    status: text,
    payCurrency: text,
    payAmount: text,
    actuallyPaid: text,
    valueCents: orNull(whole),
    seenBy: oneOf('callback', 'poller', 'admin'),
  },
  PaymentSettled: {
    orderId: text,
    paymentId: text,
    outcome: oneOf('deposit', 'tokens', 'balance'),
    depositId: orNull(text),
    purchaseId: orNull(text),
  },
  PaymentParked: { orderId: text, paymentId: text, depositId: text, reason: reviewReason },
  PaymentExpired: { orderId: text, status: text },
};
const ticketShapes: Shapes<TicketEvent> = {
  TicketOpened: { ticketId: text, gamerId: text, subject: text, message: text },
  TicketClosed: notes,
  TicketReopened: notes,
  TicketNoted: notes,
};
const communityShapes: Shapes<CommunityEvent> = {
  PostPublished: { postId: text, gamerId: text, message: text },
  PostHidden: { postId: text, reason: text },
};

const shapes = { ...gamerShapes, ...paymentShapes, ...ticketShapes, ...communityShapes };
describeShapes(shapes as Record<string, Shape<object>>);

/** In the order of the log: the ids count. */
const story = eventsOf<StreamEvent>(Object.keys(shapes)).sort((one, other) => (one.id < other.id ? -1 : 1));

function streamsOf<E extends StreamEvent>(of: Shapes<E>): Map<string, E[]> {
  const streams = new Map<string, E[]>();
  for (const { stream = '', event } of story) {
    if (event.type in of) streams.set(stream, [...(streams.get(stream) ?? []), event as E]);
  }
  return streams;
}

it('lies in the streams that the code of now would write it to, each from revision 0 and never back in time', () => {
  const streamOf = ({ type, data }: StreamEvent): string => {
    if (type in gamerShapes) return gamerStream((data as { gamerId: string }).gamerId);
    if (type in paymentShapes) return paymentStream((data as { orderId: string }).orderId);
    return type in ticketShapes ? ticketStream((data as { ticketId: string }).ticketId) : COMMUNITY_STREAM;
  };
  const last = new Map<string, { revision: number; at: number }>();
  for (const { stream = '', revision, event, metadata } of story) {
    expect({ type: event.type, stream }).toEqual({ type: event.type, stream: streamOf(event) });
    const before = last.get(stream) ?? { revision: -1, at: 0 };
    expect(revision).toBe(before.revision + 1);
    expect(metadata.at).toBeGreaterThanOrEqual(before.at);
    last.set(stream, { revision, at: metadata.at });
  }
});

it('still folds into payments, each of which became what it became then', () => {
  const verdicts = [...streamsOf<PaymentEvent>(paymentShapes).values()].map((events) => {
    const state = events.reduce<PaymentState>(evolvePayment, unknownPayment);
    expect(unsettled(state)).toEqual([]);
    return [...state.payments.values()].map(({ verdict }) => verdict);
  });
  expect(verdicts).toEqual([
    [
      { kind: 'credit' },
      { kind: 'review', reason: 'repeated', money: { amountCents: 952, feeCents: 48, cryptoType: 'LTC' } },
    ],
    [{ kind: 'credit' }],
    [{ kind: 'credit' }],
    [{ kind: 'review', reason: 'late', money: { amountCents: 940, feeCents: 48, cryptoType: 'BTC' } }],
    [{ kind: 'review', reason: 'unknown-order', money: { amountCents: 85, feeCents: 5, cryptoType: 'DOGE' } }],
  ]);
});

it('has the verdicts that were settled or parked then', () => {
  for (const events of streamsOf<PaymentEvent>(paymentShapes).values()) {
    const { payments } = events.reduce<PaymentState>(evolvePayment, unknownPayment);
    for (const { type, data } of events) {
      if (type === 'PaymentSettled') expect(payments.get(data.paymentId)?.verdict).toEqual({ kind: 'credit' });
      if (type !== 'PaymentParked') continue;
      expect(payments.get(data.paymentId)?.verdict).toMatchObject({ kind: 'review', reason: data.reason });
    }
  }
});

it('still folds into a ticket', () => {
  const [events = []] = [...streamsOf<TicketEvent>(ticketShapes).values()];
  expect(events.reduce<TicketState>(evolveTicket, null)).toEqual({
    ticketId: 'd0000000000000000001',
    gamerId: 'bob0000000aa',
    subject: 'Where is my deposit?',
    message: 'I sent 0.00016 BTC – it is 8 days late. 🙁',
    status: 'closed',
    adminNotes: 'Credited as $9.40',
  });
});

it('still folds into posts', () => {
  const posts = new Map<string, PostState>();
  for (const event of streamsOf<CommunityEvent>(communityShapes).get(COMMUNITY_STREAM) ?? []) {
    posts.set(event.data.postId, evolvePost(posts.get(event.data.postId) ?? null, event));
  }
  expect([...posts.values()]).toEqual([
    {
      postId: 'e0000000000000000001',
      gamerId: 'carol00000aa',
      message: 'I won! 🎉\nThank you all',
      isHidden: false,
    },
    { postId: 'e0000000000000000002', gamerId: 'bob0000000aa', message: 'Buy my course', isHidden: true },
  ]);
});

it('has no golden file of an event that does not exist', () => {
  for (const type of typesInFiles('other streams')) expect(Object.keys(shapes)).toContain(type);
});
