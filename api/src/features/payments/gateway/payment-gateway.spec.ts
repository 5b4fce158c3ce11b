import { readPayment } from './nowpayments-fields.js';
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
