import { GatewayUnavailable, type PaymentGateway } from './payment-gateway.js';

const away = (): Promise<never> =>
  Promise.reject(new GatewayUnavailable('unreachable', false, 'no payment gateway is configured'));

/** Where no gateway is configured: it is away, and nothing is signed by it. */
export const absentGateway: PaymentGateway = {
  createInvoice: away,
  createPayment: away,
  getPayment: away,
  listPaymentsOfInvoice: away,
  minimumAmount: away,
  estimateCents: away,
  verifyCallback: () => null,
};
