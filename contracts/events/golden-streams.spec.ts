/*
 * The golden files of gamers, payments, tickets and the community: one history in many streams, each event as a log of its
 * version holds it. These files never change. The ledger's are read by golden-events.spec.ts.
 */
import { evolvePayment, type PaymentState, unknownPayment, unsettled } from '../../domain/payments.js';
import { evolvePost, type PostState } from '../../domain/posts.js';
import { evolveTicket, type TicketState } from '../../domain/tickets.js';
import { COMMUNITY_STREAM, gamerStream, paymentStream, ticketStream } from '../streams.js';
import type { CommunityEvent } from './community-events.js';
import type { GamerEvent } from './gamer-events.js';
import type { PaymentEvent } from './payment-events.js';
import { describeShapes, eventsOf, typesInFiles } from './testing/golden.js';
import { coin, oneOf, orAbsent, orNull, purpose, reviewReason, type Shape, text, whole } from './testing/shapes.js';
import type { TicketEvent } from './ticket-events.js';

type StreamEvent = GamerEvent | PaymentEvent | TicketEvent | CommunityEvent;
type Shapes<E extends StreamEvent> = { [T in E['type']]: Shape<Extract<E, { type: T }>['data']> };

const role = oneOf('gamer', 'admin', 'auditor', 'operator');
const notes = { ticketId: text, adminNotes: orNull(text) };

const gamerShapes: Shapes<GamerEvent> = {
  GamerRegistered: { gamerId: text, gamerTag: text, email: text, refCode: text, sponsorId: orNull(text), role },
  AdminSignedIn: { gamerId: text },
  AccountsSealed: { gamerId: text },
  GamerRenamed: { gamerId: text, gamerTag: text, gamerTagBefore: text },
  EmailChanged: { gamerId: text, email: text, emailBefore: text },
  PasswordChanged: { gamerId: text, by: oneOf('reset-link', 'admin', 'gamer') },
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
    gatewayStatus: orAbsent(text),
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

/** In log order: the ids are numbered. */
const history = eventsOf<StreamEvent>(Object.keys(shapes)).sort((one, other) => (one.id < other.id ? -1 : 1));

function streamsOf<E extends StreamEvent>(of: Shapes<E>): Map<string, E[]> {
  const streams = new Map<string, E[]>();
  for (const { stream = '', event } of history) {
    if (event.type in of) streams.set(stream, [...(streams.get(stream) ?? []), event as E]);
  }
  return streams;
}

it('is in the streams that the code writes to, with consecutive revisions and ascending times', () => {
  const streamOf = ({ type, data }: StreamEvent): string => {
    if (type in gamerShapes) return gamerStream((data as { gamerId: string }).gamerId);
    if (type in paymentShapes) return paymentStream((data as { orderId: string }).orderId);
    if (type in ticketShapes) return ticketStream((data as { ticketId: string }).ticketId);
    // The golden posts are of an older log: today each post has its own stream.
    return COMMUNITY_STREAM;
  };
  const last = new Map<string, { revision: number; at: number }>();
  for (const { stream = '', revision, event, metadata } of history) {
    expect({ type: event.type, stream }).toEqual({ type: event.type, stream: streamOf(event) });
    const before = last.get(stream) ?? { revision: -1, at: 0 };
    expect(revision).toBe(before.revision + 1);
    expect(metadata.at).toBeGreaterThanOrEqual(before.at);
    last.set(stream, { revision, at: metadata.at });
  }
});

it('folds into payments with the same verdicts as before', () => {
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

it('folds into the verdicts that the stream’s outcomes record', () => {
  for (const events of streamsOf<PaymentEvent>(paymentShapes).values()) {
    const { payments } = events.reduce<PaymentState>(evolvePayment, unknownPayment);
    for (const { type, data } of events) {
      if (type === 'PaymentSettled') expect(payments.get(data.paymentId)?.verdict).toEqual({ kind: 'credit' });
      if (type !== 'PaymentParked') continue;
      expect(payments.get(data.paymentId)?.verdict).toMatchObject({ kind: 'review', reason: data.reason });
    }
  }
});

it('folds into the same ticket as before', () => {
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

it('folds into the same posts as before', () => {
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

it('has golden files of known event types only', () => {
  for (const type of typesInFiles('other streams')) expect(Object.keys(shapes)).toContain(type);
});
