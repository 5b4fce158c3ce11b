import type { CryptoType } from '../../../contracts/crypto.js';
import type { PaymentStatus } from '../../../contracts/events/payment-events.js';
import {
  type GatewayPayment,
  GatewayUnavailable,
  type InvoiceOrder,
  PaymentGateway,
} from '../../src/features/payments/gateway/payment-gateway.js';
import { Refused } from '../../src/platform/failures.js';
import type { ApiNode } from './api-node.js';
import { SimulatedPayouts } from './payouts.js';
import type { World } from './world.js';

type Port = Pick<
  PaymentGateway,
  | 'createInvoice'
  | 'createPayment'
  | 'getPayment'
  | 'listPaymentsOfInvoice'
  | 'minimumCents'
  | 'estimateCents'
  | 'verifyCallback'
>;

/** One coin is one cent. */
const COINS = 100;
const SIGNATURE = 'signed';
const REDELIVERIES = 2;

/** A payment gateway: it fails, answers late, repeats and reorders its callbacks, loses some, and forgers send others. */
export class SimulatedGateway {
  readonly payments = new Map<string, GatewayPayment>();
  readonly payouts: SimulatedPayouts;
  private readonly invoices = new Map<string, InvoiceOrder>();

  constructor(
    private readonly world: World,
    private readonly nodes: () => readonly ApiNode[],
  ) {
    this.payouts = new SimulatedPayouts(world);
    Object.assign(
      this.port,
      this.payouts.portBy((effect) => this.call(effect)),
    );
  }

  readonly port = {
    minimumCents: () => this.call(() => 1),
    estimateCents: (amount: string) => this.call(() => Number(amount)),
    createInvoice: (order: InvoiceOrder) =>
      this.call(() => {
        const invoiceId = this.world.newId('invoice');
        this.invoices.set(invoiceId, order);
        return { invoiceId, checkoutUrl: 'http://gateway.example/' };
      }),
    createPayment: (invoiceId: string, cryptoType: CryptoType) =>
      this.call(() => this.add(invoiceId, cryptoType.toLowerCase(), null)),
    getPayment: (paymentId: string) => this.call(() => this.copyOf(paymentId)),
    listPaymentsOfInvoice: (invoiceId: string) =>
      this.call(() =>
        [...this.payments.values()].filter((one) => one.invoiceId === invoiceId).map((one) => ({ ...one })),
      ),
    verifyCallback: (body: Uint8Array, signature: string | undefined) => {
      if (signature !== SIGNATURE) return null;
      const payment = JSON.parse(Buffer.from(body).toString('utf8'));
      return { payment, payoutBatchId: null };
    },
  } satisfies Port as unknown as PaymentGateway;

  paymentsOf(orderId: string): GatewayPayment[] {
    return [...this.payments.values()].filter((one) => one.orderId === orderId);
  }

  /** The payer's coins arrive, or the time to pay passes: the gateway calls back about each status. */
  change(paymentId: string, status: PaymentStatus, paid: number): void {
    const payment = this.payments.get(paymentId) as GatewayPayment;
    const actuallyPaid = String(paid);
    for (const next of new Set<PaymentStatus>(paid > 0 ? ['arriving', status] : [status])) {
      Object.assign(payment, { status: next, gatewayStatus: next, actuallyPaid });
      this.world.note(`${paymentId} is ${next} with ${actuallyPaid} paid`);
      this.callBack(payment);
    }
  }

  /** A second transfer to a payment's address: the gateway makes a payment of its own of it. */
  payAgain(parentPaymentId: string, paid: number): void {
    const { invoiceId, payCurrency } = this.payments.get(parentPaymentId) as GatewayPayment;
    const child = this.add(invoiceId as string, payCurrency, parentPaymentId);
    (this.payments.get(parentPaymentId) as GatewayPayment).childPaymentIds.push(child.paymentId);
    (this.payments.get(child.paymentId) as GatewayPayment).payAmount = String(paid);
    this.change(child.paymentId, 'paid', paid);
  }

  private add(invoiceId: string, payCurrency: string, parentPaymentId: string | null): GatewayPayment {
    const { orderId, amountCents } = this.invoices.get(invoiceId) as InvoiceOrder;
    const paymentId = this.world.newId('pay');
    this.payments.set(paymentId, {
      paymentId,
      invoiceId,
      orderId,
      parentPaymentId,
      status: 'waiting',
      gatewayStatus: 'waiting',
      childPaymentIds: [],
      priceAmount: String(amountCents / COINS),
      priceCurrency: 'usd',
      payAmount: String(amountCents),
      actuallyPaid: '0',
      payCurrency,
      payAddress: `address of ${paymentId}`,
    });
    return this.copyOf(paymentId) as GatewayPayment;
  }

  private copyOf(paymentId: string): GatewayPayment | null {
    const payment = this.payments.get(paymentId);
    return payment ? { ...payment, childPaymentIds: [...payment.childPaymentIds] } : null;
  }

  private async call<T>(effect: () => T): Promise<T> {
    const { time } = this.world;
    const { machine } = time;
    await time.sleep(5 + this.world.upTo(60), null);
    const fails = this.world.injects('gatewayFailed');
    const result = fails && this.world.random() < 0.5 ? null : outcomeOf(effect);
    await time.sleep(5 + this.world.upTo(60), machine);
    if (fails || result === null) throw new GatewayUnavailable('unreachable', 'the gateway did not answer');
    if ('refused' in result) throw result.refused;
    return result.value;
  }

  private callBack(payment: GatewayPayment): void {
    const body = JSON.stringify(payment);
    if (this.world.injects('callbackForged')) {
      const forged = JSON.stringify({ ...payment, status: 'paid', actuallyPaid: payment.payAmount, forged: true });
      void this.deliver(forged, 'guessed', 1, 0);
    }
    if (this.world.injects('callbackLost')) return;
    const delayMs = () => this.world.upTo(this.world.injects('callbackHeld') ? 4_000 : 40);
    if (this.world.injects('callbackRepeated')) void this.deliver(body, SIGNATURE, delayMs(), REDELIVERIES);
    void this.deliver(body, SIGNATURE, delayMs(), REDELIVERIES);
  }

  private async deliver(body: string, signature: string, afterMs: number, redeliveries: number): Promise<void> {
    const { time } = this.world;
    await time.sleep(afterMs, null);
    const node = this.world.pick(this.nodes());
    const receive = () => (node as ApiNode).payments.inbox.receive(Buffer.from(body), signature);
    const isAccepted = node?.isReady
      ? await Promise.race([
          node.run(receive).then(
            () => true,
            (error: Error) => error instanceof Refused,
          ),
          time.sleep(3_000, null),
        ])
      : false;
    if (!isAccepted && redeliveries > 0) await this.deliver(body, signature, 500, redeliveries - 1);
  }
}

function outcomeOf<T>(effect: () => T): { value: T } | { refused: unknown } {
  try {
    return { value: effect() };
  } catch (refused) {
    return { refused };
  }
}
