import { Injectable, Logger } from '@nestjs/common';
import { CRYPTO_TYPES, type CryptoType } from '../../../../contracts/crypto.js';
import type { PaymentEvents } from '../../../../contracts/events/payment-events.js';
import type * as http from '../../../../contracts/http/payments.js';
import type { GamerId, OrderId } from '../../../../contracts/ids.js';
import { DEPOSIT_FEE_PERCENT } from '../../../../contracts/limits.js';
import { depositTotalCents, formatCents, splitDeposit } from '../../../../contracts/money.js';
import { belowMinimum } from '../../../../contracts/validation.js';
import { type InvoiceItem, invoiceRefusal } from '../../../../domain/deposits.js';
import { type Game, roundTerms } from '../../../../domain/game.js';
import type { CommandMetadata } from '../../../../domain/ledger/ledger-commands.js';
import { withTimeout } from '../../../../event-log/timers.js';
import { WithPosition } from '../../http/position.interceptors.js';
import { RateLimits } from '../../http/rate-limits.store.js';
import { derivedId } from '../../ledger/ids.js';
import { Ledger } from '../../ledger/ledger.js';
import { Clock } from '../../platform/clock.js';
import { Refused } from '../../platform/failures.js';
import { GatewayRefused, GatewayUnavailable, PaymentGateway } from './gateway/payment-gateway.js';
import { PaymentLog } from './settlement.js';

export type InvoiceRequest = { cryptoType: CryptoType } & InvoiceItem;

/** The order at the price of the round that is open when the command runs: the next round may have another price. */
type Order = Pick<
  PaymentEvents['PaymentOpened'],
  'purpose' | 'cryptoType' | 'quantity' | 'amountCents' | 'feeCents' | 'roundId'
>;

/** Limits all gateway calls of one invoice together: the gamer gets a response within five seconds. */
const GATEWAY_TIMEOUT_MS = 4_600;

/** Creates an invoice at the gateway, then records it: if that fails, nobody has seen its address. Idempotent by its derived order id. */
@Injectable()
export class InvoiceService {
  private readonly logger = new Logger('payments');

  constructor(
    private readonly gateway: PaymentGateway,
    private readonly payments: PaymentLog,
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    private readonly rateLimits: RateLimits,
  ) {}

  async create(request: InvoiceRequest, metadata: CommandMetadata): Promise<WithPosition<http.InvoiceResponse>> {
    const orderId = derivedId(metadata);
    const gamerId = metadata.actor.id;
    const before = await this.payments.read(orderId);
    if (before.state.invoice) return createdInvoice(before.state.invoice, request, before.position);
    // Read before the gateway's calls: the round may end and the next one begin meanwhile.
    const { game } = this.ledger.committed;
    const refusal = this.ledger.ask(invoiceRefusal, game, gamerId, request, this.clock.now());
    if (refusal) throw new Refused(refusal);
    const order = orderOf(request, game);
    await this.rateLimits.count('invoicesPerGamer', gamerId);
    const created = this.createAtGateway(orderId, order, gamerId);
    const data = await this.askGateway(created, `an invoice in ${request.cryptoType}`);
    const { state, position } = await this.payments.decideAndAppend(
      orderId,
      // If the same command runs twice at once, the first appended invoice counts.
      (now) => ({ events: now.invoice ? [] : [{ type: 'PaymentOpened', data }] }),
      metadata,
    );
    return createdInvoice(state.invoice as PaymentEvents['PaymentOpened'], request, position);
  }

  async withStatus(orders: readonly http.PaymentStatusResponse[]): Promise<http.OpenInvoice[]> {
    const invoices: http.OpenInvoice[] = [];
    for (const { orderId, purpose, status } of orders) {
      const { invoice } = (await this.payments.read(orderId)).state;
      if (invoice) invoices.push({ ...invoiceResponse(invoice), purpose, status });
    }
    return invoices;
  }

  async coinMinimums(): Promise<http.CoinMinimumsResponse> {
    const centsOf = async (cryptoType: CryptoType) =>
      [cryptoType, await this.gateway.minimumCents(cryptoType)] as const;
    const minimums = await this.askGateway(Promise.all(CRYPTO_TYPES.map(centsOf)), 'the minimums');
    return Object.fromEntries(minimums) as http.CoinMinimumsResponse;
  }

  private async createAtGateway(orderId: OrderId, order: Order, gamerId: GamerId) {
    const { cryptoType, quantity, amountCents } = order;
    const totalCents = amountCents + order.feeCents;
    const minimumCents = await this.gateway.minimumCents(cryptoType);
    const priceCents = quantity && amountCents / quantity;
    if (totalCents < minimumCents) throw new Refused(belowMinimum(cryptoType, minimumCents, priceCents));
    const { invoiceId, checkoutUrl: paymentUrl } = await this.gateway.createInvoice({
      orderId,
      amountCents: totalCents,
      cryptoType,
      description: descriptionOf(order),
    });
    const { paymentId, payAddress, payAmount } = await this.gateway.createPayment(invoiceId, cryptoType);
    if (payAddress === null || payAmount === null)
      throw new GatewayUnavailable('unreadable', `payment ${paymentId} without address or amount`);
    return { ...order, orderId, gamerId, invoiceId, paymentId, paymentUrl, payAddress, payAmount };
  }

  /** The result of calls to the gateway; throws Refused when it is unavailable or refuses. @param what for the log */
  private askGateway<T>(calls: Promise<T>, what: string): Promise<T> {
    return withTimeout(calls, GATEWAY_TIMEOUT_MS, tooSlow).catch((error: unknown) => {
      if (error instanceof GatewayUnavailable) {
        this.logger.warn(`the gateway did not give ${what}: ${error.message}`);
        throw new Refused('gateway-unavailable');
      }
      if (error instanceof GatewayRefused) {
        this.logger.error(`the gateway refused ${what}: ${error.code} ${error.message}`);
        throw new Refused('payment-failed');
      }
      throw error;
    });
  }
}

/** Tokens cost what the terms of the open round say. */
function orderOf(request: InvoiceRequest, game: Game): Order {
  const { purpose, cryptoType } = request;
  if (request.purpose === 'deposit') {
    const cents = splitDeposit(depositTotalCents(request.dollars * 100));
    return { purpose, cryptoType, quantity: null, ...cents, roundId: null };
  }
  const { quantity } = request;
  const amountCents = quantity * roundTerms(game).tokenPriceCents;
  return { purpose, cryptoType, quantity, amountCents, feeCents: 0, roundId: game.roundId };
}

const tooSlow = (): Error => new GatewayUnavailable('timeout', `no response within ${GATEWAY_TIMEOUT_MS} ms`);

const descriptionOf = ({ quantity, amountCents }: Order): string =>
  quantity === null
    ? `Deposit of ${formatCents(amountCents)}, plus ${DEPOSIT_FEE_PERCENT}% fee`
    : `${quantity} Omni Token(s)`;

/** Throws Refused when the invoice was created for another request, under the same idempotency key. */
function createdInvoice(data: PaymentEvents['PaymentOpened'], request: InvoiceRequest, position: string) {
  const isSameAmount =
    request.purpose === 'tokens' ? data.quantity === request.quantity : data.amountCents === request.dollars * 100;
  const isSame = isSameAmount && data.purpose === request.purpose && data.cryptoType === request.cryptoType;
  if (!isSame) throw new Refused('idempotency-key-reused');
  return new WithPosition<http.InvoiceResponse>(position, invoiceResponse(data));
}

function invoiceResponse(data: PaymentEvents['PaymentOpened']): http.InvoiceResponse {
  const { orderId, paymentId, roundId, payAddress, payAmount, cryptoType } = data;
  const totalCents = data.amountCents + data.feeCents;
  const invoice = { orderId, paymentId, roundId, totalCents, payAddress, payAmount, cryptoType };
  return { success: true, payment_url: data.paymentUrl, ...invoice };
}
