import type { FastifyInstance, FastifyRequest } from 'fastify';
import { compareDecimals, type DecimalText, decimalText } from '../../contracts/decimal.js';
import { HttpError, jsonBody, parameterOf, queryOf } from '../pages/http-server.js';
import type { Callbacks } from './callbacks.js';
import { CURRENCIES } from './coins.js';
import { FAULT_KINDS, type Faults } from './faults.js';
import { ACTIONS, type PaymentLifecycle } from './payment-lifecycle.js';
import type { PaymentStore } from './payment-store.js';
import type { Payment, Settings } from './records.js';

export interface ControlParts {
  store: PaymentStore;
  lifecycle: PaymentLifecycle;
  callbacks: Callbacks;
  faults: Faults;
  /** The API's last requests, oldest first. */
  requests: readonly { method: string; path: string; at: number }[];
}

/** Lets tests act as the payer, change settings, inject faults, and read what the gateway received and sent. */
export function serveControls(app: FastifyInstance, parts: ControlParts): void {
  const { store, callbacks, faults, lifecycle, requests } = parts;
  const findPayment = (request: FastifyRequest): Payment => {
    const id = parameterOf(request, 'id');
    const payment = store.payment(id);
    if (payment === undefined) throw badRequest(`There is no payment ${id}`);
    return payment;
  };
  app.get('/_stand-in/payments', (request) => {
    const query = queryOf(request);
    const orderId = query.get('orderId');
    const payments = store.payments(query.get('invoiceId'));
    return orderId === null ? payments : payments.filter((payment) => payment.orderId === orderId);
  });
  app.get('/_stand-in/payments/:id', findPayment);
  app.post('/_stand-in/payments/:id/act', (request) => {
    const body = jsonBody(request);
    const payment = findPayment(request);
    if (typeof body.status === 'string' && body.status !== '') return lifecycle.setStatus(payment, body.status);
    const details = {
      ...(body.amount !== undefined && { amount: amount('amount', body.amount) }),
      ...(body.currency !== undefined && { currency: oneOf(CURRENCIES, 'currency', body.currency) }),
    };
    return lifecycle.act(payment, oneOf(ACTIONS, 'action', body.action), details);
  });
  app.post('/_stand-in/payments/:id/repeat-callback', (request) => {
    const delivery = callbacks.resend(findPayment(request).id);
    if (delivery === undefined) throw new HttpError(409, 'It never had a callback');
    return delivery;
  });
  app.get('/_stand-in/callbacks', (request) => store.deliveries(queryOf(request).get('paymentId')));
  app.get('/_stand-in/requests', () => requests);
  app.get('/_stand-in/settings', () => store.settings);
  app.post('/_stand-in/settings', (request) => {
    const changes = Object.entries(jsonBody(request));
    store.putSettings(Object.fromEntries(changes.map(([name, value]) => [name, setting(store.settings, name, value)])));
    return store.settings;
  });
  app.post('/_stand-in/faults', (request) => {
    const { latencyMs, kind, times = 1, on = '' } = jsonBody(request);
    if (latencyMs !== undefined) faults.latencyMs = integer('latencyMs', latencyMs);
    if (kind !== undefined) {
      faults.add({ kind: oneOf(FAULT_KINDS, 'kind', kind), times: integer('times', times, 1), on: String(on) });
    }
    return {};
  });
  app.delete('/_stand-in/faults', () => {
    faults.clear();
    return {};
  });
}

/** Returns a setting's new value. Rates and minimums are merged into the current ones, coin by coin. */
function setting(current: Settings, name: string, value: unknown): unknown {
  switch (name) {
    case 'losesCallbacks':
    case 'childrenKeepOrderId':
      return oneOf([true, false], name, value);
    case 'stepMs':
    case 'callbackRepeats':
    case 'callbackRepeatMs':
    case 'validForMs':
      return integer(name, value);
    case 'wrongAssetStatus':
      return oneOf(['finished', 'partially_paid'], name, value);
    case 'rates':
    case 'minimums': {
      const amounts = Object.entries(value ?? {}).map(([currency, coins]) => {
        return [oneOf(CURRENCIES, 'coin', currency), amount(currency, coins)];
      });
      return { ...current[name], ...Object.fromEntries(amounts) };
    }
    default:
      throw badRequest(`There is no setting ${name}`);
  }
}

const badRequest = (message: string): HttpError => new HttpError(400, message);

function oneOf<T>(values: readonly T[], name: string, value: unknown): T {
  const known = values.find((candidate) => candidate === value);
  if (known === undefined) throw badRequest(`${name} must be one of ${values.join(', ')}`);
  return known;
}

/** Timers accept 2^31 milliseconds at most. */
function integer(name: string, value: unknown, min = 0): number {
  if (Number.isInteger(value) && Number(value) >= min && Number(value) < 2 ** 31) return Number(value);
  throw badRequest(`${name} must be a whole number from ${min}`);
}

function amount(name: string, value: unknown): DecimalText {
  const decimal = decimalText(value);
  if (decimal === undefined || compareDecimals(decimal, '0') <= 0) throw badRequest(`${name} must be above 0`);
  return decimal;
}
