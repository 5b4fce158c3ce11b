import { Inject, Injectable, Logger } from '@nestjs/common';
import type { CryptoType } from '../../../contracts/crypto.js';
import type { Actor } from '../../../contracts/events/metadata.js';
import type { PaymentOpened } from '../../../contracts/events/payment-events.js';
import type { InvoiceResponse } from '../../../contracts/http/payments.js';
import type { CommandId, OrderId } from '../../../contracts/ids.js';
import { DEPOSIT_FEE_PERCENT, MIN_DEPOSIT_DOLLARS, TOKEN_PRICE_CENTS } from '../../../contracts/limits.js';
import { formatCents } from '../../../contracts/money.js';
import { whyClosed } from '../../../domain/purchases.js';
import { Config } from '../config.js';
import { Clock } from '../http/clock.js';
import { Refused } from '../http/refused.js';
import { Ledger } from '../ledger/ledger.js';
import { derivedId } from '../streams/derived-id.js';
import { GatewayRefused, GatewayUnavailable, type PaymentGateway } from './gateway/payment-gateway.js';
import { PAYMENT_GATEWAY } from './ledger-payments.js';
import { PaymentLog } from './payment-log.js';
import { within } from './within.js';

/** What a gamer wants to pay for. */
export type Wanted = { cryptoType: CryptoType } & (
  | { purpose: 'tokens'; quantity: number }
  | { purpose: 'deposit'; dollars: number }
);

export interface Opened {
  position: string;
  invoice: InvoiceResponse;
}

/** For all calls to the gateway together: whoever pays is answered within five seconds. */
const GATEWAY_PATIENCE_MS = 4_600;

/**
 * Makes an invoice and its payment at the gateway, then notes both in the order's stream. The order's id is made of the
 * gamer and the command, so that a repeat finds the invoice of the first. When anything fails before it is noted there
 * is no order: what may then be left at the gateway has an address that nobody was told.
 */
@Injectable()
export class Opening {
  private readonly logger = new Logger('payments');

  constructor(
    @Inject(PAYMENT_GATEWAY) private readonly gateway: PaymentGateway,
    private readonly payments: PaymentLog,
    private readonly ledger: Ledger,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** `admit` is asked before the gateway is, and may refuse: a repeat asks neither. */
  async open(wanted: Wanted, by: { actor: Actor; commandId: CommandId }, admit: () => Promise<void>): Promise<Opened> {
    const orderId = derivedId(by);
    const before = await this.payments.read(orderId);
    if (before.state.opened) return opened(before.state.opened, wanted, before.position);
    this.mustBeAllowed(wanted, by.actor);
    await admit();
    const opening = this.openAtGateway(orderId, wanted, by.actor);
    const data = await within(GATEWAY_PATIENCE_MS, opening, tooSlow).catch((error: Error) =>
      this.explain(error, wanted),
    );
    const { state, position } = await this.payments.change(
      orderId,
      // The same command may have been sent twice at once: the first one noted is the one.
      (now) => ({ events: now.opened ? [] : [{ type: 'PaymentOpened', data }] }),
      by,
    );
    return opened(state.opened!, wanted, position);
  }

  private mustBeAllowed({ purpose }: Wanted, { role }: Actor): void {
    if (role === 'admin') throw new Refused(purpose === 'tokens' ? 'admin-cannot-buy' : 'admin-is-no-depositor');
    if (purpose === 'deposit') return;
    const closed = whyClosed(this.ledger.committed.game, this.clock.now());
    if (closed) throw new Refused(closed);
  }

  private async openAtGateway(orderId: OrderId, wanted: Wanted, actor: Actor): Promise<PaymentOpened['data']> {
    const { cryptoType, purpose } = wanted;
    const { amountCents, feeCents } = priceOf(wanted);
    const minimum = await this.gateway.minimumAmount(cryptoType);
    if (amountCents + feeCents < minimum.cents) throw belowMinimum(wanted, minimum.cents);
    const { callbackUrl } = this.config.payments ?? { callbackUrl: '' };
    const { invoiceId, checkoutUrl } = await this.gateway.createInvoice({
      orderId,
      amountCents: amountCents + feeCents,
      cryptoType,
      description: descriptionOf(wanted),
      callbackUrl,
      successUrl: `${this.config.linkOrigin}/payment-success`,
      cancelUrl: `${this.config.linkOrigin}/`,
    });
    const payment = await this.gateway.createPayment(invoiceId, cryptoType);
    if (payment.payAddress === null || payment.payAmount === null) {
      throw new GatewayUnavailable('unreadable', true, `payment ${payment.paymentId} without address or amount`);
    }
    return {
      orderId,
      purpose,
      gamerId: actor.id,
      amountCents,
      feeCents,
      cryptoType,
      quantity: purpose === 'tokens' ? wanted.quantity : null,
      // The round that the gamer was looking at.
      roundId: purpose === 'tokens' ? this.ledger.committed.game.roundId : null,
      invoiceId,
      paymentId: payment.paymentId,
      paymentUrl: checkoutUrl,
      payAddress: payment.payAddress,
      payAmount: payment.payAmount,
    };
  }

  private explain(error: Error, { cryptoType }: Wanted): never {
    if (error instanceof GatewayUnavailable) {
      this.logger.warn(`no invoice could be made: ${error.message}`);
      throw new Refused('gateway-unavailable');
    }
    if (error instanceof GatewayRefused) {
      this.logger.error(`the gateway refused an invoice in ${cryptoType}: ${error.code} ${error.message}`);
      throw new Refused('payment-failed');
    }
    throw error;
  }
}

const tooSlow = (): Error => new GatewayUnavailable('timeout', true, `no invoice within ${GATEWAY_PATIENCE_MS} ms`);

const priceOf = (wanted: Wanted): { amountCents: number; feeCents: number } =>
  wanted.purpose === 'tokens'
    ? { amountCents: wanted.quantity * TOKEN_PRICE_CENTS, feeCents: 0 }
    : { amountCents: wanted.dollars * 100, feeCents: wanted.dollars * DEPOSIT_FEE_PERCENT };

/** With the smallest quantity or amount that works (decision 30). */
function belowMinimum({ purpose, cryptoType }: Wanted, cents: number): Refused {
  if (purpose === 'tokens') {
    const quantity = Math.ceil(cents / TOKEN_PRICE_CENTS);
    return new Refused({ code: 'below-coin-minimum', parameters: { cryptoType, quantity, cents } });
  }
  const dollars = Math.max(MIN_DEPOSIT_DOLLARS, Math.ceil(cents / (100 + DEPOSIT_FEE_PERCENT)));
  return new Refused({ code: 'deposit-below-coin-minimum', parameters: { cryptoType, dollars } });
}

function descriptionOf(wanted: Wanted): string {
  if (wanted.purpose === 'tokens') return `${wanted.quantity} Omni Token(s)`;
  return `Deposit of ${formatCents(wanted.dollars * 100)}, plus ${DEPOSIT_FEE_PERCENT}% fee`;
}

function opened(data: PaymentOpened['data'], wanted: Wanted, position: string): Opened {
  const { amountCents, feeCents } = priceOf(wanted);
  const isSame =
    data.purpose === wanted.purpose &&
    data.cryptoType === wanted.cryptoType &&
    data.amountCents === amountCents &&
    data.feeCents === feeCents;
  if (!isSame) throw new Refused('idempotency-key-reused');
  const { orderId, paymentUrl, payAddress, payAmount, cryptoType } = data;
  const totalCents = amountCents + feeCents;
  return {
    position,
    invoice: { success: true, payment_url: paymentUrl, orderId, totalCents, payAddress, payAmount, cryptoType },
  };
}
