import type { InvoiceResponse } from '../../../contracts/http/payments.js';
import type { InvoiceRequest } from '../../src/features/payments/invoice.service.js';
import { Refused } from '../../src/platform/failures.js';
import type { ApiNode } from './api-node.js';
import type { SimulatedGateway } from './gateway.js';
import type { World } from './world.js';

const ACTIONS = [
  'pay',
  'pay',
  'pay',
  'pay and refund',
  'pay twice',
  'underpay',
  'overpay',
  'expire',
  'pay late',
] as const;

/** Gamers who open invoices and pay them in every way they can. */
export class Payers {
  /** Payments that their payers saw: an interrupted creation may leave others at the gateway. */
  readonly shown = new Map<string, { action: (typeof ACTIONS)[number]; request: InvoiceRequest }>();

  constructor(
    private readonly world: World,
    private readonly gateway: SimulatedGateway,
    private readonly nodes: () => readonly ApiNode[],
  ) {}

  async payOnce(gamerId: string): Promise<void> {
    const { world, gateway } = this;
    const request: InvoiceRequest =
      world.random() < 0.5
        ? { purpose: 'deposit', dollars: 7 + world.upTo(20), cryptoType: 'BTC' }
        : { purpose: 'tokens', quantity: 1 + world.upTo(5), cryptoType: 'BTC' };
    const invoice = await this.openInvoice(request, gamerId);
    if (invoice === null) return;
    const { paymentId, payAmount } = invoice;
    const action = world.pick(ACTIONS);
    this.shown.set(paymentId, { action, request });
    await world.time.sleep(world.upTo(1_500), null);
    const due = Number(payAmount);
    if (action === 'expire') return gateway.change(paymentId, 'expired', 0);
    if (action === 'underpay') return gateway.change(paymentId, 'short', due - 1);
    if (action === 'overpay') return gateway.change(paymentId, 'over', due + 1);
    const isLate = action === 'pay late';
    if (isLate) {
      gateway.change(paymentId, 'expired', 0);
      await world.time.sleep(world.upTo(1_000), null);
    }
    gateway.change(paymentId, isLate ? 'expired' : 'paid', due);
    if (action === 'pay twice') gateway.payAgain(paymentId, due);
    if (action !== 'pay and refund') return;
    await world.time.sleep(world.upTo(2_000), null);
    gateway.change(paymentId, 'refunded', due);
  }

  /** Null when the invoice was refused. */
  private async openInvoice(request: InvoiceRequest, gamerId: string): Promise<InvoiceResponse | null> {
    const { world } = this;
    const metadata = { actor: { id: gamerId, role: 'gamer' as const }, commandId: world.newId('open') };
    for (;;) {
      const node = world.pick(this.nodes());
      const create = () => (node as ApiNode).payments.invoices.create(request, metadata);
      const response = node?.isReady ? node.run(create).then(({ body }) => body, causeOf) : world.time.sleep(100, null);
      const result = await Promise.race([response, world.time.sleep(6_500, null)]);
      await world.time.sleep(1 + world.upTo(500), null);
      if (result) return result === 'refused' ? null : result;
    }
  }
}

const causeOf = (error: Error) =>
  error instanceof Refused && !/unavailable|untrusted/.test(error.refusal.code) ? ('refused' as const) : undefined;
