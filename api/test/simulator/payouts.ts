import { MIN_WITHDRAWAL_CENTS } from '../../../contracts/limits.js';
import { ADMIN } from '../../../domain/testing/actors.js';
import {
  type GatewayPayout,
  GatewayRefused,
  type PaymentGateway,
  type PayoutInstruction,
} from '../../src/features/payments/gateway/payment-gateway.js';
import { Refused } from '../../src/platform/failures.js';
import type { ApiNode } from './api-node.js';
import type { Clients } from './clients.js';
import type { World } from './world.js';

type Port = Pick<
  PaymentGateway,
  'estimateCoins' | 'minimumPayout' | 'createPayouts' | 'verifyPayouts' | 'getPayouts' | 'listPayoutsSince'
>;
type Call = <T>(effect: () => T) => Promise<T>;

const MAX_PROCESSING_MS = 1_500;
const ADMIN_TIMEOUT_MS = 6_500;
const WALLET = { cryptoType: 'BTC', walletAddress: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT' } as const;

/** The gateway's payouts: a batch waits for its code, and then each payout is sent, fails or is rejected. */
export class SimulatedPayouts {
  readonly sent: GatewayPayout[] = [];
  private readonly batches = new Map<string, GatewayPayout[]>();

  constructor(private readonly world: World) {}

  portBy = (call: Call): Port => ({
    estimateCoins: (cents) => call(() => String(cents)),
    minimumPayout: () => call(() => '0'),
    createPayouts: (orders) => call(() => this.create(orders)),
    verifyPayouts: (batchId) => call(() => this.verify(batchId)),
    getPayouts: (batchId) => call(() => this.batches.get(batchId)?.map((payout) => ({ ...payout })) ?? null),
    listPayoutsSince: () => call(() => [...this.batches.values()].flat().map((payout) => ({ ...payout }))),
  });

  private create(orders: readonly PayoutInstruction[]): GatewayPayout[] {
    const batchId = this.world.newId('batch');
    const payouts = orders.map(({ externalId, amount, address }) => ({
      payoutId: this.world.newId('payout'),
      batchId,
      externalId,
      status: 'WAITING',
      currency: 'btc',
      amount,
      address,
      hash: null,
      createdAtMs: this.world.time.now(),
    }));
    this.batches.set(batchId, payouts);
    return payouts.map((payout) => ({ ...payout }));
  }

  private verify(batchId: string): void {
    const payouts = this.batches.get(batchId) ?? [];
    if (payouts[0]?.status !== 'WAITING') throw new GatewayRefused(400, 'NOT_WAITING', 'the batch does not wait');
    for (const payout of payouts) {
      payout.status = 'PROCESSING';
      this.world.time.after(this.world.upTo(MAX_PROCESSING_MS), () => this.end(payout), null);
    }
  }

  private end(payout: GatewayPayout): void {
    const pick = this.world.random();
    payout.status = 'FINISHED';
    if (pick >= 0.8) payout.status = pick < 0.9 ? 'FAILED' : 'REJECTED';
    this.world.note(`${payout.externalId} of ${payout.batchId} is ${payout.status}`);
    if (payout.status !== 'FINISHED') return;
    payout.hash = `transaction of ${payout.payoutId}`;
    this.sent.push(payout);
  }
}

/** Gamers who withdraw and change their minds, and an admin who lets the gateway pay, or decides by hand. */
export class Withdrawers {
  constructor(
    private readonly world: World,
    private readonly clients: Clients,
    private readonly nodes: () => readonly ApiNode[],
  ) {}

  step(gamerId: string): void {
    const { world, clients } = this;
    const pick = world.random();
    const request = { ...WALLET, amountCents: MIN_WITHDRAWAL_CENTS + world.upTo(500) };
    if (pick < 0.14) void clients.send({ type: 'RequestWithdrawal', gamerId, request });
    const open = [...this.open()];
    const one = world.pick(open);
    if (one === undefined || pick < 0.14) return;
    const [withdrawalId, { gamerId: ownerId }] = one;
    const status = pick < 0.17 ? 'returned' : 'completed';
    const update = { status, adminNotes: null, txid: null } as const;
    if (pick < 0.16) void clients.send({ type: 'CancelWithdrawal', gamerId: ownerId, withdrawalId });
    else if (pick < 0.18) void clients.send({ type: 'UpdateWithdrawal', withdrawalId, update });
    else if (pick < 0.34) void this.order(open.map(([id]) => id).filter(() => world.random() < 0.6));
  }

  private open() {
    const node = this.nodes().find(({ isReady }) => isReady);
    return node?.replica.state.withdrawals ?? new Map();
  }

  /** Enters the code again, at any node, until the gateway accepted it. */
  private async order(withdrawalIds: readonly string[]): Promise<void> {
    const { world } = this;
    if (withdrawalIds.length === 0) return;
    world.note(`the admin pays ${withdrawalIds.join(' ')}`);
    for (;;) {
      const node = world.pick(this.nodes());
      const order = () => (node as ApiNode).payments.payouts.order(withdrawalIds, 'code', ADMIN);
      const response = node?.isReady
        ? node.run(order).then(
            ({ body }) => body.message,
            (error: Error) => (error instanceof Refused ? null : error.message),
          )
        : world.time.sleep(100, null);
      const result = await Promise.race([response, world.time.sleep(ADMIN_TIMEOUT_MS, null)]);
      world.note(`payout of ${withdrawalIds[0]} …: ${result}`);
      if (typeof result === 'string' && !/tables do not have|unavailable|unknown|log|stop/.test(result)) return;
      await world.time.sleep(50 + world.upTo(900), null);
    }
  }
}
