import { compareDecimals, type DecimalText, decimalText } from '../../contracts/decimal.js';
import { type Answer, BadRequest, json, jsonBody, type Request, type Route } from '../pages/http-server.js';
import type { Callbacks } from './callbacks.js';
import { FAULT_KINDS, type Faults } from './faults.js';
import type { PaymentBook } from './payment-book.js';
import { ACTIONS, type ActionDetails, NotPossible, type PaymentLife } from './payment-life.js';
import { CURRENCIES } from './rates.js';
import type { Payment, Settings } from './records.js';

export interface SeenRequest {
  method: string;
  path: string;
  at: number;
}

export interface StandInParts {
  book: PaymentBook;
  life: PaymentLife;
  callbacks: Callbacks;
  faults: Faults;
  /** The API's last requests, oldest first. */
  seen: readonly SeenRequest[];
}

/** What only a stand-in has: how tests act as payer, clock and bad network, and look at what was sent. */
export function standInRoutes(parts: StandInParts): Route[] {
  const { book, callbacks, faults, life, seen } = parts;
  const changing = (path: RegExp, answer: (request: Request) => Answer): Route => ({
    method: 'POST',
    path,
    async answer(request) {
      try {
        const answered = answer(request);
        await book.saved();
        return answered;
      } catch (error) {
        if (error instanceof NotPossible) return json(409, { error: error.message });
        throw error;
      }
    },
  });

  return [
    {
      method: 'GET',
      path: /^\/_stand-in\/payments$/,
      answer: ({ query }) => {
        const [orderId, invoiceId] = [query.get('orderId'), query.get('invoiceId')];
        const isWanted = (payment: Payment) =>
          (orderId === null || payment.orderId === orderId) && (invoiceId === null || payment.invoiceId === invoiceId);
        return json(200, book.allPayments().filter(isWanted));
      },
    },
    { method: 'GET', path: /^\/_stand-in\/payments\/(?<id>\d+)$/, answer: (request) => json(200, paymentOf(request)) },
    changing(/^\/_stand-in\/payments\/(?<id>\d+)\/act$/, (request) => {
      const { action, status, ...details } = jsonBody(request);
      const payment = paymentOf(request);
      if (typeof status === 'string' && status !== '') return json(200, life.setStatus(payment, status));
      const known = ACTIONS.find((candidate) => candidate === action);
      if (known === undefined) throw new BadRequest(`action must be one of ${ACTIONS.join(', ')}`);
      return json(200, life.act(payment, known, readDetails(details)));
    }),
    changing(/^\/_stand-in\/payments\/(?<id>\d+)\/repeat-callback$/, (request) => {
      const delivery = callbacks.repeat(paymentOf(request).id);
      return delivery === undefined ? json(409, { error: 'It never had a callback' }) : json(200, delivery);
    }),
    {
      method: 'GET',
      path: /^\/_stand-in\/callbacks$/,
      answer: ({ query }) => {
        const paymentId = query.get('paymentId');
        return json(
          200,
          book.allDeliveries().filter((delivery) => paymentId === null || delivery.paymentId === paymentId),
        );
      },
    },
    { method: 'GET', path: /^\/_stand-in\/requests$/, answer: () => json(200, seen) },
    { method: 'GET', path: /^\/_stand-in\/settings$/, answer: () => json(200, book.settings) },
    changing(/^\/_stand-in\/settings$/, (request) => {
      changeSettings(book, jsonBody(request));
      return json(200, book.settings);
    }),
    {
      method: 'POST',
      path: /^\/_stand-in\/faults$/,
      answer: (request) => {
        addFaults(faults, jsonBody(request));
        return json(200, {});
      },
    },
    {
      method: 'DELETE',
      path: /^\/_stand-in\/faults$/,
      answer: () => {
        faults.clear();
        return json(200, {});
      },
    },
  ];

  function paymentOf({ parameters }: Request): Payment {
    const payment = book.payment(parameters.id!);
    if (payment === undefined) throw new BadRequest(`There is no payment ${parameters.id}`);
    return payment;
  }
}

function readDetails({ amount, currency }: Record<string, unknown>): ActionDetails {
  const details: ActionDetails = {};
  if (amount !== undefined) details.amount = readAmount('amount', amount);
  if (currency !== undefined) {
    if (typeof currency !== 'string' || !CURRENCIES.includes(currency)) {
      throw new BadRequest(`currency must be one of ${CURRENCIES.join(', ')}`);
    }
    details.currency = currency;
  }
  return details;
}

function readAmount(name: string, value: unknown): DecimalText {
  const amount = decimalText(value);
  if (amount === undefined || compareDecimals(amount, '0') <= 0) throw new BadRequest(`${name} must be above 0`);
  return amount;
}

/** Sets what is named; a map of coins is merged into the one there is. */
function changeSettings(book: PaymentBook, body: Record<string, unknown>): void {
  const changed: Partial<Settings> = {};
  for (const [name, value] of Object.entries(body)) Object.assign(changed, { [name]: readSetting(book, name, value) });
  book.putSettings(changed);
}

function readSetting({ settings }: PaymentBook, name: string, value: unknown): unknown {
  switch (name) {
    case 'losesCallbacks':
    case 'childrenKeepOrderId':
      if (typeof value === 'boolean') return value;
      throw new BadRequest(`${name} must be true or false`);
    case 'stepMs':
    case 'callbackRepeats':
    case 'callbackRepeatMs':
    case 'validForMs':
      // Timers hold for 2^31 milliseconds at most.
      if (Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 31) return value;
      throw new BadRequest(`${name} must be a whole number`);
    case 'repeatedStatus':
    case 'wrongAssetStatus':
      if (value === 'finished' || value === 'partially_paid') return value;
      throw new BadRequest(`${name} must be finished or partially_paid`);
    case 'rates':
    case 'minimums':
      return { ...settings[name], ...readAmounts(name, value) };
    default:
      throw new BadRequest(`There is no setting ${name}`);
  }
}

function readAmounts(name: string, value: unknown): Record<string, DecimalText> {
  if (typeof value !== 'object' || value === null) throw new BadRequest(`${name} must name coins`);
  return Object.fromEntries(
    Object.entries(value).map(([currency, amount]) => {
      if (!CURRENCIES.includes(currency)) throw new BadRequest(`There is no coin ${currency}`);
      return [currency, readAmount(currency, amount)];
    }),
  );
}

function addFaults(faults: Faults, { latencyMs, kind, times = 1, on }: Record<string, unknown>): void {
  if (latencyMs !== undefined) {
    if (!Number.isInteger(latencyMs) || Number(latencyMs) < 0) throw new BadRequest('latencyMs must be a whole number');
    faults.latencyMs = Number(latencyMs);
  }
  if (kind === undefined) return;
  const known = FAULT_KINDS.find((candidate) => candidate === kind);
  if (known === undefined) throw new BadRequest(`kind must be one of ${FAULT_KINDS.join(', ')}`);
  if (!Number.isInteger(times) || Number(times) < 1) throw new BadRequest('times must be a whole number from 1');
  if (on !== undefined && typeof on !== 'string') throw new BadRequest('on must be the beginning of a request');
  faults.add({ kind: known, times: Number(times), ...(on !== undefined && { on }) });
}
