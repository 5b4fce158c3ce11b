import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { InvoiceResponse, PaymentStatusResponse } from '../contracts/http/payments.js';
import type { GamerByHttp } from './gamers-by-http.js';
import type { Scene } from './scene.js';

/** Orders a deposit of whole dollars in DOGE; the order's id. */
export async function orderDeposit({ url }: Scene, gamer: GamerByHttp, dollars: number): Promise<string> {
  const order = { amount: dollars, currency: 'DOGE', userId: gamer.id };
  const { status, body } = await gamer.post(`${url}/api/create-deposit-invoice`, order);
  if (status !== 200) throw new Error(`the deposit was answered with ${status} ${JSON.stringify(body)}`);
  return (body as InvoiceResponse).orderId;
}

/** Orders tokens in DOGE; the order's id. */
export async function orderTokens({ url }: Scene, gamer: GamerByHttp, quantity: number): Promise<string> {
  const order = { quantity, currency: 'DOGE', userId: gamer.id };
  const { status, body } = await gamer.post(`${url}/api/create-invoice`, order);
  if (status !== 200) throw new Error(`the order was answered with ${status} ${JSON.stringify(body)}`);
  return (body as InvoiceResponse).orderId;
}

/** What a person does on the practice gateway's page with an order's payment; the payment's id. */
export async function payAs(
  { application }: Scene,
  orderId: string,
  action: 'pay' | 'underpay' | 'overpay' | 'pay-again',
): Promise<string> {
  const found = await fetch(`${application.paymentsUrl}/_stand-in/payments?orderId=${orderId}`);
  const [payment] = (await found.json()) as { id: string }[];
  if (payment === undefined) throw new Error(`order ${orderId} has no payment`);
  await atGateway(application.paymentsUrl, `payments/${payment.id}/act`, { action });
  return payment.id;
}

/** What the gateway's staff does with a payment whose money has arrived. */
export const staffDoes = (
  { application }: Scene,
  paymentId: string,
  action: 'refund' | 'finish-by-hand',
): Promise<void> => atGateway(application.paymentsUrl, `payments/${paymentId}/act`, { action });

/** Until we have acted on an order's payment. */
export async function untilActedOn({ url }: Scene, gamer: GamerByHttp, orderId: string): Promise<void> {
  const isOpen = async () =>
    ['waiting', 'confirming'].includes(
      (await gamer.get<PaymentStatusResponse>(`${url}/api/payments/${orderId}`)).status,
    );
  while (await isOpen()) await sleep(50);
}

/** A paid payment that no invoice of the game's led to: its account was charged by hand. Its id. */
export async function strangePayment({ application, dataDir, url }: Scene, dollars: number): Promise<string> {
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
      order_id: 'somebody else’s',
      ipn_callback_url: `${url}/api/payments/ipn`,
    }),
  });
  const { payment_id: id } = (await answer.json()) as { payment_id?: string };
  if (id === undefined) throw new Error(`the gateway made no payment: ${answer.status}`);
  await atGateway(application.paymentsUrl, `payments/${id}/act`, { action: 'pay' });
  return id;
}

/** Payments take their time at the gateway; here none. */
export const hurryPayments = ({ application }: Scene): Promise<void> =>
  atGateway(application.paymentsUrl, 'settings', { stepMs: 5 });

async function atGateway(paymentsUrl: string, path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${paymentsUrl}/_stand-in/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}
