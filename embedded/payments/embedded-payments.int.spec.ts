import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CRYPTO_TYPES, looksLikeWalletAddress } from '../../contracts/crypto.js';
import { folderForTests } from '../../contracts/testing/folder.js';
import { until } from '../../contracts/testing/until.js';
import { isWalletAddress } from '../../contracts/wallet-address.js';
import { practiceAddress } from './coins.js';
import type { Delivery } from './records.js';
import { startEmbeddedPayments } from './start-embedded-payments.js';

const ACCOUNT = { apiKey: 'key-1', ipnSecret: 'ipn-secret', email: 'shop@example.org', password: 'open sesame' };

/** The fields that the tests read from the API's responses. */
interface ApiJson {
  id: string;
  invoice_url: string;
  payment_id: string;
  pay_address: string;
  pay_amount: number;
}

const folder = folderForTests('each');
let payments: Awaited<ReturnType<typeof startEmbeddedPayments>>;
beforeEach(async () => {
  payments = await startEmbeddedPayments({ ...ACCOUNT, dataDir: folder() });
});
afterEach(() => payments.close());

async function request<T>(url: string, body?: object): Promise<T> {
  const method = body === undefined ? 'GET' : 'POST';
  const headers = { 'x-api-key': ACCOUNT.apiKey };
  return (await fetch(url, { method, headers, body: JSON.stringify(body) })).json() as Promise<T>;
}
const api = (path: string, body?: object) => request<ApiJson>(payments.apiUrl + path, body);
const standIn = <T>(path: string, body?: object) => request<T>(`${payments.url}/_stand-in${path}`, body);

async function order(overrides: object = {}) {
  const invoice = await api('/invoice', {
    price_amount: 21,
    price_currency: 'usd',
    pay_currency: 'ltc',
    order_description: 'Deposit <of> $20',
    success_url: 'http://shop.example/paid',
    ...overrides,
  });
  return { invoice, payment: await api('/invoice-payment', { iid: invoice.id, pay_currency: 'ltc' }) };
}

it('sends ids as strings on creation and as numbers on reads, like the real gateway', async () => {
  const { invoice, payment } = await order();
  expect(invoice).toMatchObject({ id: expect.any(String) });
  expect(payment).toMatchObject({ payment_id: expect.any(String), pay_amount: expect.any(Number) });
  expect(await api(`/payment/${payment.payment_id}`)).toMatchObject({
    payment_id: Number(payment.payment_id),
    invoice_id: Number(invoice.id),
    actually_paid: 0,
    payment_extra_ids: null,
  });
  const estimate = await api('/estimate?amount=0.0001&currency_from=btc&currency_to=usd');
  expect(estimate).toEqual({ currency_from: 'btc', currency_to: 'usd', estimated_amount: '11' });
});

it('shows the address and the amount, escapes the merchant’s text, and lets the payer pay once', async () => {
  const { invoice, payment } = await order();
  const page = await (await fetch(invoice.invoice_url)).text();
  expect(page).toContain(payment.pay_address);
  for (const text of ['Send', 'Pay']) expect(page).toContain(`>${text} ${payment.pay_amount} LTC<`);
  expect(page).toContain('Deposit &#60;of&#62; $20');
  expect(page).not.toMatch(/(src|href)="(https?:)?\/\/(?!shop\.example)/);
  for (const action of ['pay', 'underpay']) {
    const body = new URLSearchParams({ payment: payment.payment_id, action });
    const acted = await (await fetch(`${payments.url}/payment/act`, { method: 'POST', body })).text();
    expect(acted).toContain(`${payment.pay_amount} of ${payment.pay_amount} LTC arrived.`);
  }
});

it('sends the callbacks that were due before a restart', async () => {
  const received: string[] = [];
  const merchant = createServer((request, response) => {
    request.on('data', (chunk) => received.push(String(chunk)));
    request.on('end', () => response.writeHead(received.length > 1 ? 200 : 500).end());
  });
  merchant.listen(0, '127.0.0.1');
  await once(merchant, 'listening');
  const { port } = merchant.address() as AddressInfo;
  const { payment } = await order({ ipn_callback_url: `http://127.0.0.1:${port}/` });
  await standIn(`/payments/${payment.payment_id}/act`, { action: 'expire' });
  await until(() => received.length > 0);
  await payments.close();
  payments = await startEmbeddedPayments({ ...ACCOUNT, dataDir: folder() });
  await until(async () => (await standIn<Delivery[]>('/callbacks'))[0]?.state === 'delivered');
  expect(received[1]).toBe(received[0]);
  merchant.close();
  merchant.closeAllConnections();
});

it.each(CRYPTO_TYPES)('creates %s addresses in the right format with a wrong checksum', (cryptoType) => {
  for (let times = 0; times < 200; times++) {
    const address = practiceAddress(cryptoType);
    expect(looksLikeWalletAddress(cryptoType, address)).toBe(true);
    expect(isWalletAddress(cryptoType, address)).toBe(false);
  }
});
