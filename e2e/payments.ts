import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Payer } from '../api/test/payer.js';
import type { InvoiceResponse } from '../contracts/http/payments.js';
import type { Action } from '../embedded/payments/payment-lifecycle.js';
import type { HttpGamer } from './http-gamer.js';
import type { TestApp } from './test-app.js';

/** Orders a deposit of whole dollars in DOGE and returns the order id. */
export async function orderDeposit({ url }: TestApp, gamer: HttpGamer, dollars: number): Promise<string> {
  const what = { amount: dollars, currency: 'DOGE', userId: gamer.id };
  const { status, body } = await gamer.post(`${url}/api/create-deposit-invoice`, what);
  if (status !== 200) throw new Error(`deposit: ${status} ${JSON.stringify(body)}`);
  return (body as InvoiceResponse).orderId;
}

/** The payer at the application's practice gateway. */
export const payerAt = ({ application: { paymentsUrl, practiceToken } }: TestApp, apiKey?: string): Payer =>
  new Payer({ url: paymentsUrl, apiUrl: `${paymentsUrl}/v1`, token: practiceToken }, apiKey);

/** Acts as the payer on an order's payment, and returns the payment id. */
export async function payAs(app: TestApp, orderId: string, action: Action): Promise<string> {
  const { id } = await payerAt(app).first(orderId);
  await payerAt(app).act(id, action);
  return id;
}

/** Pays the operator's gateway account without an invoice of the game, and returns the payment id. */
export async function unknownPayment(app: TestApp, dollars: number): Promise<string> {
  const id = await unpaidPayment(app, dollars);
  await payerAt(app).act(id, 'pay');
  return id;
}

/** Creates a payment at the operator's gateway account without an invoice of the game, and returns the payment id. */
export async function unpaidPayment(app: TestApp, dollars: number): Promise<string> {
  const secret = (await readFile(join(app.dataDir, 'payments-secret'), 'utf8')).trim();
  return payerAt(app, secret).foreignPayment(dollars, 'trx', `${app.url}/api/payments/ipn`);
}

const NO_MINIMUMS = { btc: '0', ltc: '0', trx: '0', doge: '0' };

/** Lets payments proceed at the gateway without its usual waits. */
export const hurryPayments = (app: TestApp, minimums: Record<string, string> = NO_MINIMUMS): Promise<unknown> =>
  payerAt(app).changeSettings({ stepMs: 5, minimums });
