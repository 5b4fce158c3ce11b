import { idText, readPayment } from './nowpayments-fields.js';
import { receivedCents } from './payment-gateway.js';

const payment = (fields: object) =>
  readPayment({
    payment_id: 1,
    payment_status: 'finished',
    pay_currency: 'doge',
    price_amount: '7.35',
    price_currency: 'usd',
    pay_amount: 36.75,
    actually_paid: 36.75,
    ...fields,
  })!;

describe('a payment in NOWPayments’ words', () => {
  it('reads the same from a POST’s text and from a GET’s numbers', () => {
    const made = {
      payment_id: '5745459419',
      payment_status: 'waiting',
      pay_currency: 'btc',
      pay_amount: '0.17070286',
      price_amount: 3999.5,
      amount_received: null,
    };
    const amounts = { pay_amount: 0.17070286, price_amount: '3999.5', actually_paid: 0 };
    const read = { ...made, ...amounts, payment_id: 5745459419, pay_currency: 'BTC', payment_extra_ids: null };
    expect(readPayment(read)).toEqual(readPayment(made));
    expect(readPayment(made)).toMatchObject({
      paymentId: '5745459419',
      payAmount: '0.17070286',
      priceAmount: '3999.5',
      payCurrency: 'btc',
      actuallyPaid: '0',
    });
  });

  it.each([
    ['waiting', 0, 'waiting'],
    ['confirming', 5, 'arriving'],
    ['confirmed', 5, 'arriving'],
    ['sending', 5, 'arriving'],
    ['finished', 5, 'paid'],
    ['finished', 4, 'short'],
    ['finished', 6, 'over'],
    ['partially_paid', 6, 'short'],
    ['cancelled', 1, 'short'],
    ['cancelled', 0, 'failed'],
    ['failed', 5, 'failed'],
    ['expired', 0, 'expired'],
    ['refunded', 5, 'refunded'],
    ['hibernating', 0, 'arriving'],
  ])('translates %s with %i of 5 paid into %s', (gatewayStatus, actually_paid, status) => {
    const json = { payment_id: 1, payment_status: gatewayStatus, pay_currency: 'ltc', pay_amount: 5, actually_paid };
    expect(readPayment(json)).toMatchObject({ status, gatewayStatus });
  });

  it('reads the ids of parent and child payments', () => {
    const related = { parent_payment_id: 5513339153, payment_extra_ids: [2, '3', null] };
    expect(payment(related)).toMatchObject({ parentPaymentId: '5513339153', childPaymentIds: ['2', '3'] });
  });

  it.each([
    null,
    'text',
    [],
    {},
    { payment_id: 1, payment_status: 'finished' },
    { payment_id: {}, payment_status: 'x', pay_currency: 'btc' },
  ])('is undefined for %j', (json) => {
    expect(readPayment(json)).toBeUndefined();
  });

  it('refuses an id that JSON rounded or that could change a URL’s path', () => {
    expect(idText(2 ** 53)).toBeNull();
    expect(idText('1/../2')).toBeNull();
    expect(idText('null')).toBeNull();
  });
});

it.each([
  [{}, 735],
  [{ actually_paid: '25.725' }, 514],
  [{ actually_paid: 73.5 }, 1470],
  [{ actually_paid: null }, 0],
  [{ actually_paid: '0.00000001' }, 0],
  [{ parent_payment_id: 2 }, null],
  [{ price_currency: 'eur' }, null],
  [{ pay_amount: 0 }, null],
  [{ price_amount: null }, null],
])('the value of the received coins of %j is %p cents', (fields, cents) => {
  expect(receivedCents(payment(fields))).toBe(cents);
});
