import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InvoiceResponse } from '../contracts/http/payments.js';
import type { HttpGamer } from './http-gamer.js';
import type { TestApp } from './test-app.js';

/** Orders a deposit of whole dollars in DOGE and returns the order id. */
export const orderDeposit = (app: TestApp, gamer: HttpGamer, dollars: number): Promise<string> =>
  order(app, gamer, 'create-deposit-invoice', { amount: dollars });

/** Orders in DOGE and returns the order id. */
export async function order({ url }: TestApp, gamer: HttpGamer, path: string, what: object): Promise<string> {
  const { status, body } = await gamer.post(`${url}/api/${path}`, { ...what, currency: 'DOGE', userId: gamer.id });
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return (body as InvoiceResponse).orderId;
}

/** Presses a button of the practice gateway's page for an order's payment, and returns the payment id. */
export async function payAs(
  { application }: TestApp,
  orderId: string,
  action: 'pay' | 'underpay' | 'overpay' | 'pay-again',
): Promise<string> {
  const found = await fetch(`${application.paymentsUrl}/_stand-in/payments?orderId=${orderId}`);
  const [payment] = (await found.json()) as { id: string }[];
  if (payment === undefined) throw new Error(`order ${orderId} has no payment`);
  await atGateway(application.paymentsUrl, `payments/${payment.id}/act`, { action });
  return payment.id;
}

/** Pays the operator's gateway account without an invoice of the game, and returns the payment id. */
export async function unknownPayment({ application, dataDir, url }: TestApp, dollars: number): Promise<string> {
  const secret = (await readFile(join(dataDir, 'payments-secret'), 'utf8')).trim();
  const answer = await fetch(`${application.paymentsUrl}/v1/payment`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': createHmac('sha256', secret).update('api key').digest('base64url'),
    },
    body: JSON.stringify({
      price_amount: dollars,
      price_currency: 'usd',
      pay_currency: 'trx',
      order_id: 'of another shop',
      ipn_callback_url: `${url}/api/payments/ipn`,
    }),
  });
  const { payment_id: id } = (await answer.json()) as { payment_id?: string };
  if (id === undefined) throw new Error(`the gateway made no payment: ${answer.status}`);
  await atGateway(application.paymentsUrl, `payments/${id}/act`, { action: 'pay' });
  return id;
}

/** Lets payments proceed at the gateway without its usual waits. */
export const hurryPayments = ({ application }: TestApp): Promise<void> =>
  atGateway(application.paymentsUrl, 'settings', { stepMs: 5 });

/** Posts to the control routes of the practice gateway. */
export async function atGateway(paymentsUrl: string, path: string, body: object): Promise<void> {
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(`${paymentsUrl}/_stand-in/${path}`, request);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}
