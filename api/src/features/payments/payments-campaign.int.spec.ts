import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Auditor } from '../../../../audit/replay/auditor.js';
import { Payments } from '../../../../audit/rules/payments.js';
import { CRYPTO_TYPES } from '../../../../contracts/crypto.js';
import { mulDivFloor } from '../../../../contracts/decimal.js';
import { DAY_MS } from '../../../../contracts/durations.js';
import type { LedgerEvent, ReviewReason } from '../../../../contracts/events/ledger-events.js';
import type { PaymentEvent } from '../../../../contracts/events/payment-events.js';
import type { InvoiceResponse } from '../../../../contracts/http/payments.js';
import { purchaseAccount } from '../../../../contracts/ledger-accounts.js';
import { LEDGER_STREAM, paymentStream } from '../../../../contracts/streams.js';
import { caseCount, givenSeed } from '../../../../contracts/testing/case-count.js';
import { postings } from '../../../../domain/ledger/postings.js';
import { unknownOrderOf } from '../../../../domain/payments.js';
import type { Action } from '../../../../embedded/payments/payment-lifecycle.js';
import type { Payment } from '../../../../embedded/payments/records.js';
import type { EmbeddedPayments } from '../../../../embedded/payments/start-embedded-payments.js';
import { type Callback, type CallbackRelay, startCallbackRelay } from '../../../test/callback-relay.js';
import { ACCOUNT, Payer, startGateway } from '../../../test/payer.js';
import { Killed, PaymentsNode } from '../../../test/payments-node.js';
import { seededRandom } from '../../../test/seeded-random.js';
import { StreamsInMemory } from '../../../test/streams-in-memory.js';
import { Refused } from '../../platform/failures.js';
import { NowPaymentsGateway } from './gateway/nowpayments.gateway.js';
import type { InvoiceRequest } from './invoice.service.js';
import type { DueOrder } from './payment-polls.store.js';
import type { PaymentOutcome } from './payments.queries.js';

/*
 * Campaign 7. Payers use the embedded gateway in every way they can, and the real adapter talks to it over HTTP. Callbacks
 * are lost, repeated, held back, shuffled and forged; the gateway fails now and then; both api processes are killed at
 * random steps. In the end the gateway's own records tell the expected outcome of every payment.
 *
 * SEED=… makes a run's random choices again; the timing still depends on the machine.
 */
const COUNT = caseCount(200, 5_000);
const SEED = givenSeed ?? randomBytes(4).readUInt32BE();
const GAMERS = 20;
const PAYERS_AT_ONCE = 6;

jest.setTimeout(Math.max(300_000, COUNT * 1_000));

const random = seededRandom(SEED);
const chance = (probability: number): boolean => random() < probability;
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
const between = (least: number, most: number): number => least + Math.floor(random() * (most - least + 1));

const gamers = Array.from({ length: GAMERS }, (_, index) => `gamer${String(index).padStart(7, '0')}`);
const counts = { kills: 0, faults: 0, lost: 0, repeated: 0, held: 0, forged: 0, forgedAccepted: 0, lostAnswers: 0 };

const log = new StreamsInMemory();
const silentOrders = new Set<string>();
const held: Callback[] = [];
/** Every process that was ever started. */
const allNodes = new Set<PaymentsNode>();
/** The poller's warnings while `calm`. */
const warnings: string[] = [];
let clockAheadMs = 0;
/** True while nothing is made to fail. */
let calm = false;
let isOver = false;
let gateway: EmbeddedPayments;
let relay: CallbackRelay;
let payer: Payer;
/** The first node receives callbacks and creates invoices, the second polls. */
let nodes: [PaymentsNode, PaymentsNode];

const polls = {
  alone: (task: () => Promise<void>) => task(),
  due: async (): Promise<DueOrder[]> => [...log.streams.keys()].flatMap(dueOrders),
  markPolled: async () => undefined,
  forgetBefore: async () => undefined,
};

function dueOrders(stream: string): DueOrder[] {
  if (!stream.startsWith(paymentStream(''))) return [];
  const events = log.read(stream).map(({ event }) => event as PaymentEvent);
  const opened = events.find((event) => event.type === 'PaymentOpened');
  const orderId = stream.slice(paymentStream('').length);
  const { invoiceId = null, paymentId = null } = opened?.data ?? {};
  return [{ orderId, invoiceId, paymentId, changedAtMs: 0 }];
}

const outcomesById = new Map<string, PaymentOutcome>();
let projectedEvents = 0;

/** The outcomes as the read model has them. */
const outcomes = {
  async outcomeOf(deposit: { paymentId: string } | { depositId: string }): Promise<PaymentOutcome | null> {
    for (const { event } of log.read(LEDGER_STREAM, { fromRevision: projectedEvents })) {
      projectedEvents += 1;
      const outcome = outcomeOf(event as LedgerEvent);
      if (outcome) outcomesById.set(outcome.paymentId, outcome);
    }
    return ('paymentId' in deposit && outcomesById.get(deposit.paymentId)) || null;
  },
};

function outcomeOf(event: LedgerEvent): PaymentOutcome | null {
  const none = { depositId: null, purchaseId: null, purchaseRevision: null, reason: null, cryptoType: null };
  switch (event.type) {
    case 'DepositRecorded':
      return { ...none, ...event.data, outcome: 'pending' };
    case 'DepositApproved': {
      const reason = outcomesById.get(event.data.paymentId)?.reason ?? null;
      return { ...none, ...event.data, reason, outcome: 'approved' };
    }
    case 'InvoiceCredited':
      return { ...none, ...event.data, outcome: 'balance' };
    case 'TokenPurchased': {
      const { paymentId, buyerId, purchaseId, costCents } = event.data;
      if (paymentId === undefined) return null;
      return { ...none, paymentId, gamerId: buyerId, purchaseId, amountCents: costCents, outcome: 'tokens' };
    }
    default:
      return null;
  }
}

async function newNode(): Promise<PaymentsNode> {
  const node = new PaymentsNode({
    log,
    gateway: new NowPaymentsGateway({ ...ACCOUNT, baseUrl: gateway.apiUrl, timeoutMs: 4_000, rateLimitPauseMs: 5 }),
    outcomes,
    polls,
    callbackUrl: `${relay.url}/api/payments/ipn`,
    now: () => Date.now() + clockAheadMs,
    warn: (message) => void (calm && warnings.push(message)),
    diesHere: () => !calm && chance(1 / (COUNT / 2 + 50)),
    losesAnswer: () => {
      const loses = !calm && chance(0.003);
      if (loses) counts.lostAnswers += 1;
      return loses;
    },
  });
  allNodes.add(node);
  return node.start();
}

/** The living node at this index: a dead node is replaced by a new one. */
async function nodeAt(index: 0 | 1): Promise<PaymentsNode> {
  while (nodes[index].isDead) {
    const dead = nodes[index];
    const next = await newNode().catch((error: unknown) => {
      if (error instanceof Killed) return null;
      throw error;
    });
    counts.kills += 1;
    if (next !== null && nodes[index] === dead) nodes[index] = next;
  }
  return nodes[index];
}

/** Retries after every failure, as payers and gateways do. */
async function untilDone<T>(index: 0 | 1, work: (node: PaymentsNode) => Promise<T>): Promise<T> {
  return again(async () => {
    const node = await nodeAt(index);
    return node.alive(work(node));
  });
}

const deliverOnce = async (callback: Callback): Promise<number> => {
  const node = await nodeAt(0);
  try {
    await node.alive(node.inbox.receive(callback.body, callback.signature));
    return 200;
  } catch (error) {
    return error instanceof Refused ? 401 : 503;
  }
};

/** The unreliable connection between gateway and shop. */
async function onCallback(callback: Callback): Promise<number> {
  const { order_id: orderId } = JSON.parse(callback.body.toString('utf8')) as { order_id: string | null };
  if (chance(0.2)) await forge(callback);
  if ((orderId !== null && silentOrders.has(orderId)) || chance(0.15)) {
    counts.lost += 1;
    return 200;
  }
  if (chance(0.2)) {
    counts.held += 1;
    held.push(callback);
    return 200;
  }
  if (chance(0.2)) {
    counts.repeated += 1;
    await deliverOnce(callback);
  }
  return deliverOnce(callback);
}

async function forge({ body, signature }: Callback): Promise<void> {
  const sent = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
  const altered = Buffer.from(
    JSON.stringify({ ...sent, payment_status: 'finished', actually_paid: 1e6, forged: true }),
  );
  const guess = randomBytes(64).toString('hex');
  const forged = [
    { body: altered, signature },
    { body: altered, signature: guess },
    { body: altered, signature: undefined },
  ];
  for (const one of forged) {
    const status = await deliverOnce(one);
    counts.forged += 1;
    if (status !== 401) counts.forgedAccepted += 1;
  }
}

const FAULTS = ['rate-limited', 'server-error', 'html', 'malformed', 'wrong-shape', 'reset'] as const;

/** The actions of one payer after the invoice was created. */
const ACTIONS: readonly (readonly Action[])[] = [
  ['pay'],
  ['pay'],
  ['pay'],
  ['pay'],
  ['underpay'],
  ['underpay', 'finish-by-hand'],
  ['underpay', 'cancel'],
  ['overpay'],
  ['pay-late'],
  ['pay', 'pay-again'],
  ['pay', 'wrong-coin'],
  ['wrong-coin'],
  ['expire'],
  ['fail'],
  [],
];

async function payOnce(index: number): Promise<void> {
  if (chance(0.06)) await payWithoutInvoice();
  if (chance(0.1)) {
    counts.faults += 1;
    await payer.causeFault({ kind: pick(FAULTS), times: between(1, 3) });
  }
  const { orderId, payAddress } = await openInvoice(index);
  if (chance(0.1)) silentOrders.add(orderId);
  // An interrupted creation may have left another invoice at the gateway, which no gamer was shown.
  const { id, invoiceId } = (await payer.paymentsOf(orderId)).find((payment) => payment.payAddress === payAddress)!;
  const actions = pick(ACTIONS);
  for (const action of actions) await act(id, action);
  const hasCallback = actions.some((action) => action !== 'wrong-coin');
  if (hasCallback && chance(0.05)) await payer.repeatCallback(id);
  if (chance(0.08)) await act(await again(() => payer.secondPayment(invoiceId!)), 'pay');
}

async function openInvoice(index: number): Promise<InvoiceResponse> {
  const cryptoType = pick(CRYPTO_TYPES);
  const request: InvoiceRequest = chance(0.5)
    ? { purpose: 'deposit', dollars: between(20, 200), cryptoType }
    : { purpose: 'tokens', quantity: between(70, 300), cryptoType };
  const metadata = { actor: { id: pick(gamers), role: 'gamer' } as const, commandId: `open-${index}` };
  return (await untilDone(0, (node) => node.invoices.create(request, metadata))).body;
}

async function payWithoutInvoice(): Promise<void> {
  const dollars = between(20, 50);
  const id = await again(() => payer.foreignPayment(dollars, 'ltc', `${relay.url}/api/payments/ipn`));
  await act(id, 'pay');
  foreign.add(id);
}

/** Payments without an invoice. */
const foreign = new Set<string>();

/** Acts at the gateway, and retries until the action is possible. */
const act = (paymentId: string, action: Action): Promise<unknown> => again(() => payer.act(paymentId, action));

async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries > 400 || isOver) throw error;
      await delay(5);
    }
  }
}

async function newRound(index: number): Promise<void> {
  await untilDone(0, (node) => node.command({ type: 'ResetGame', reason: 'a test' }, `reset-${index}`)).catch(() => {});
  await untilDone(0, (node) => node.command({ type: 'ForceStartLive' }, `live-${index}`));
}

async function deliverHeld(): Promise<void> {
  while (held.length > 0) {
    const [callback] = held.splice(between(0, held.length - 1), 1);
    if (callback) await deliverOnce(callback);
  }
}

async function allPayments(): Promise<Payment[]> {
  let payments = await payer.all();
  while (payments.some(({ upcoming }) => upcoming.length > 0)) {
    await delay(20);
    payments = await payer.all();
  }
  return payments;
}

type DataOf<T extends LedgerEvent['type']> = Extract<LedgerEvent, { type: T }>['data'];

const ofLedger = <T extends LedgerEvent['type']>(type: T): DataOf<T>[] =>
  log.ledger
    .map(({ event }) => event)
    .filter((event) => event.type === type)
    .map(({ data }) => data as DataOf<T>);

beforeAll(async () => {
  Logger.overrideLogger(false);
  gateway = await startGateway({ settings: { stepMs: 0, callbackRepeatMs: 30, callbackRepeats: 3 } });
  relay = await startCallbackRelay();
  relay.onCallback = onCallback;
  payer = new Payer(gateway);
  calm = true;
  nodes = [await newNode(), await newNode()];
  await nodes[0].command({ type: 'EnrolAdmin', gamerId: 'house0000000' });
  for (const gamerId of gamers)
    await nodes[0].command({ type: 'EnrolGamer', gamerId, sponsorId: gamers[0]! === gamerId ? null : gamers[0]! });
  await nodes[0].command({ type: 'ForceStartLive' });
  calm = false;
});

afterAll(async () => {
  isOver = true;
  calm = true;
  await relay.close();
  await gateway.close();
  for (const node of allNodes) node.kill();
});

describe(`${COUNT} payments, seed ${SEED}`, () => {
  let payments: Payment[];

  beforeAll(async () => {
    let next = 0;
    let paying = true;
    const polling = (async () => {
      while (paying && !isOver) {
        const node = await nodeAt(1);
        await node.alive(node.poller.round()).catch(() => undefined);
        await delay(300);
      }
    })();
    const worker = async () => {
      while (next < COUNT && !isOver) {
        const index = next;
        next += 1;
        if (index % 25 === 24) await newRound(index);
        await payOnce(index);
        if (chance(0.1)) await deliverHeld();
      }
    };
    await Promise.all(Array.from({ length: PAYERS_AT_ONCE }, worker));
    paying = false;
    await polling;
    await payer.clearFaults();
    await allPayments();
    await delay(300);
    await deliverHeld();
    // New processes resume the interrupted work after the ledger has forgotten the commands' ids.
    clockAheadMs = DAY_MS + 60_000;
    for (const node of allNodes) node.kill();
    calm = true;
    nodes = [await newNode(), await newNode()];
    await nodes[0].command({ type: 'AdvanceClock', lastAliveAtEpochMs: Date.now() + clockAheadMs });
    for (let rounds = 0; rounds < 3; rounds += 1) await nodes[1].poller.round();
    expect(warnings).toEqual([]);
    await nodes[0].inbox.idle();
    payments = await allPayments();
  });

  it('injected every kind of fault at least once', () => {
    for (const [what, count] of Object.entries(counts)) {
      if (what === 'forgedAccepted') continue;
      expect([what, count > 0]).toEqual([what, true]);
    }
    expect(payments.length).toBeGreaterThanOrEqual(COUNT);
    expect(ofLedger('TokenPurchased').length).toBeGreaterThan(0);
    expect(ofLedger('InvoiceCredited').length).toBeGreaterThan(0);
  });

  it('has every payment in the ledger as the gateway’s records demand: once, or not at all', () => {
    const recorded = new Map(ofLedger('DepositRecorded').map((data) => [data.paymentId, data]));
    const credited = creditedTimes();
    const wrong = payments.flatMap((payment) => {
      const expected = expectedOf(payment, payments);
      const reason = recorded.get(payment.id)?.reason ?? null;
      const times = credited.get(payment.id) ?? 0;
      const isRight =
        expected === 'nothing'
          ? times === 0 && reason === null
          : expected === 'credited'
            ? times === 1 && reason === null
            : expected === 'credited or repeated'
              ? (times === 1 && reason === null) || (times === 0 && reason === 'repeated')
              : times === 0 && reason === expected;
      return isRight ? [] : [{ id: payment.id, status: payment.status, expected, reason, times }];
    });
    expect(wrong).toEqual([]);
    expect(ofLedger('DepositRecorded').length).toBe(recorded.size);
    const known = new Set(payments.map(({ id }) => id));
    expect([...recorded.keys(), ...credited.keys()].filter((id) => !known.has(id))).toEqual([]);
  });

  it('credited one of several full payments of one invoice', () => {
    const credited = creditedTimes();
    const full = payments.filter((payment) => expectedOf(payment, payments) === 'credited or repeated');
    const orders = new Set(full.map(({ orderId }) => orderId));
    for (const orderId of orders) {
      const ofOrder = full.filter((payment) => payment.orderId === orderId && credited.has(payment.id));
      expect([orderId, ofOrder.length]).toEqual([orderId, 1]);
    }
  });

  it('parked payments for the value that arrived', () => {
    const byId = new Map(payments.map((payment) => [payment.id, payment]));
    for (const { paymentId, amountCents, feeCents, purpose, gamerId } of ofLedger('DepositRecorded')) {
      const value = valueCentsOf(byId.get(paymentId)!);
      expect([paymentId, amountCents + feeCents]).toEqual([paymentId, value]);
      expect([paymentId, amountCents]).toEqual([paymentId, purpose === 'tokens' ? value : Math.floor(value / 1.05)]);
      expect([paymentId, gamerId === null]).toEqual([paymentId, foreign.has(paymentId)]);
    }
  });

  it('neither accepted nor stored a forged callback', () => {
    expect(counts.forgedAccepted).toBe(0);
    const kept = [...log.streams.values()].flat().filter(({ event }) => event.type === 'CallbackReceived');
    expect(kept.filter(({ event }) => JSON.stringify(event.data).includes('forged'))).toEqual([]);
  });

  it('found payments whose callbacks were all lost', () => {
    const settled = [...silentOrders].filter((orderId) => {
      const types = log.read(paymentStream(orderId)).map(({ event }) => event.type);
      expect(types).not.toContain('CallbackReceived');
      return types.includes('PaymentSettled') || types.includes('PaymentParked');
    });
    expect(settled.length).toBeGreaterThan(0);
  });

  it('appended the ledger’s outcome to each stream once', () => {
    const settled = [...log.streams.values()].flat().flatMap(({ event }) => {
      return event.type === 'PaymentSettled' || event.type === 'PaymentParked' ? [event.data.paymentId] : [];
    });
    expect(new Set(settled).size).toBe(settled.length);
    const inLedger = [...creditedTimes().keys(), ...ofLedger('DepositRecorded').map(({ paymentId }) => paymentId)];
    expect(settled.sort()).toEqual(inLedger.sort());
  });

  it('left no payment that the auditor cannot find in its stream', () => {
    const [auditor, audited] = [new Auditor(), new Payments()];
    for (const one of log.ledger) {
      auditor.take(one);
      audited.takeLedger(one, auditor.rounds.openAt(one.metadata.at));
    }
    const ofPayments = [...log.streams].flatMap(([stream, events]) => (stream.startsWith('payment-') ? events : []));
    for (const one of ofPayments) audited.takePayment(one);
    expect(audited.findings()).toEqual([]);
    expect(audited.count).toBeGreaterThan(payments.length / 2);
  });

  it('changes nothing when payments are polled and fetched again', async () => {
    const before = log.ledger.length;
    await nodes[1].poller.round();
    for (const { id } of payments.slice(0, 200)) await nodes[0].settlement.fetchAndSettle(id, 'admin');
    expect(log.ledger.length).toBe(before);
  });

  it('approves each parked deposit once, also when both nodes are sent the command', async () => {
    const parked = ofLedger('DepositRecorded');
    for (const { depositId } of parked) {
      const approve = {
        type: 'ApproveDeposit',
        depositId,
        gamerId: pick(gamers),
        reassignmentReason: 'A test',
      } as const;
      await Promise.allSettled(nodes.map((node) => node.command(approve)));
    }
    const approved = ofLedger('DepositApproved').map(({ paymentId }) => paymentId);
    expect(new Set(approved).size).toBe(approved.length);
    for (const { paymentId } of parked) expect(approved).toContain(paymentId);
  });

  it('has a journal that sums to zero, and credited exactly what came from outside', () => {
    const balances = new Map<string, number>();
    for (const { event } of log.ledger) {
      const lines = postings(event);
      expect(lines.reduce((sum, { cents }) => sum + cents, 0)).toBe(0);
      for (const { account, cents } of lines) balances.set(account, (balances.get(account) ?? 0) + cents);
    }
    expect([...balances.values()].reduce((sum, cents) => sum + cents, 0)).toBe(0);
    const deposits = ofLedger('DepositApproved').reduce(
      (sum, { amountCents, feeCents }) => sum + amountCents + feeCents,
      0,
    );
    const invoices = ofLedger('InvoiceCredited').reduce((sum, { amountCents }) => sum + amountCents, 0);
    const tokens = ofLedger('TokenPurchased').reduce((sum, { costCents }) => sum + costCents, 0);
    expect(balances.get('world:crypto')).toBe(-(deposits + invoices + tokens));
    for (const gamerId of gamers) expect(balances.get(purchaseAccount(gamerId)) ?? 0).toBeGreaterThanOrEqual(0);
  });
});

/** How often each gateway payment was credited without an approval. */
function creditedTimes(): Map<string, number> {
  const recorded = new Set(ofLedger('DepositRecorded').map(({ paymentId }) => paymentId));
  const ids = [
    ...ofLedger('DepositApproved').flatMap(({ paymentId }) => (recorded.has(paymentId) ? [] : [paymentId])),
    ...ofLedger('InvoiceCredited').map(({ paymentId }) => paymentId),
    ...ofLedger('TokenPurchased').flatMap(({ paymentId }) => paymentId ?? []),
  ];
  const times = new Map<string, number>();
  for (const id of ids) times.set(id, (times.get(id) ?? 0) + 1);
  return times;
}

type Expected = 'nothing' | 'credited' | 'credited or repeated' | ReviewReason;

/** The expected outcome by the gateway's own records. */
function expectedOf(payment: Payment, all: readonly Payment[]): Expected {
  if (payment.actuallyPaid === '0') return 'nothing';
  // Only a callback or the admin's lookup makes such a payment known.
  if (foreign.has(payment.id)) return isKnown(payment) ? 'unknown-order' : 'nothing';
  if (payment.origin === 'WRONG_ASSET') return 'wrong-coin';
  if (payment.origin === 'REPEATED') return 'repeated';
  if (payment.status === 'expired') return 'late';
  const [paid, due] = [Number(payment.actuallyPaid), Number(payment.payAmount)];
  if (paid < due) return 'underpaid';
  if (paid > due) return 'overpaid';
  const others = all.filter((other) => other.invoiceId === payment.invoiceId && other.origin === null && isFull(other));
  return others.length > 1 ? 'credited or repeated' : 'credited';
}

const isKnown = ({ id }: Payment): boolean => log.read(paymentStream(unknownOrderOf(id))).length > 0;

const isFull = ({ status, actuallyPaid, payAmount }: Payment): boolean =>
  status === 'finished' && actuallyPaid === payAmount;

function valueCentsOf({ priceAmount, actuallyPaid, payAmount }: Payment): number {
  return Number(mulDivFloor(priceAmount, actuallyPaid, payAmount, 2));
}
