import { compareDecimals, mulDivFloor } from '../../../../contracts/decimal.js';
import type { GatewayPayment } from './payment-gateway.js';

/**
 * What came in is worth, in US cents, rounded down: the price's share that was paid, at the rate the gamer was quoted.
 * Null when the payment does not tell: priced in something else, or a repeated one, which has no quote of its own;
 * then the gateway's estimate must do.
 */
export function receivedCents(payment: GatewayPayment): number | null {
  const { priceAmount, priceCurrency, payAmount, actuallyPaid, parentPaymentId } = payment;
  if (parentPaymentId !== null || priceCurrency !== 'usd' || priceAmount === null || payAmount === null) return null;
  if (compareDecimals(payAmount, '0') <= 0) return null;
  return Number(mulDivFloor(priceAmount, actuallyPaid, payAmount, 2));
}
