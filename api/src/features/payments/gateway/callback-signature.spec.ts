import { createHmac } from 'node:crypto';
import { isSignedWith } from './callback-signature.js';

const SECRET = 'test-secret';
/** All fields of a recorded callback, sorted and compact as it arrived; the values are made up. */
const BODY =
  '{"actually_paid":100,"actually_paid_at_fiat":0,"fee":{"currency":"trx","depositFee":0.000083,"serviceFee":0.5,"withdrawalFee":1e-7},"invoice_id":4522000001,"order_description":null,"order_id":"dep-7","outcome_amount":99.499917,"outcome_currency":"trx","parent_payment_id":null,"pay_address":"TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t","pay_amount":100,"pay_currency":"trx","payin_extra_id":null,"payment_extra_ids":null,"payment_id":5800000001,"payment_status":"finished","price_amount":31.5,"price_currency":"usd","purchase_id":"5170000001","updated_at":1790000000000}';
const SIGNATURE =
  '9f3a7a7ce303e8c75d15b9f79712b26359a6c20b5b8d4a931ee5ea0662468955e88757e2960215564024613201e922188191cc5ef75a685872c6c677ff1d6d52';

const sign = (text: string) => createHmac('sha512', SECRET).update(text).digest('hex');
const isSigned = (body: string, signature: string, secret = SECRET) =>
  isSignedWith(secret, Buffer.from(body), JSON.parse(body), signature);

it('a signature is valid for the recorded vector, with the body’s keys in another order, and with spaces', () => {
  const { actually_paid, ...rest } = JSON.parse(BODY);
  const reordered = JSON.stringify({ ...rest, actually_paid }, null, 2);
  for (const body of [BODY, reordered]) expect(isSigned(body, SIGNATURE)).toBe(true);
  expect(isSigned(BODY, SIGNATURE.toUpperCase(), `  ${SECRET}\n`)).toBe(true);
});

it.each([
  ['arrays as arrays', '{"b":[{"d":1,"c":[2,3]}],"a":null}', '{"a":null,"b":[{"c":[2,3],"d":1}]}'],
  ['arrays as objects', '{"b":[{"d":1,"c":[2,3]}],"a":null}', '{"a":null,"b":{"0":{"c":{"0":2,"1":3},"d":1}}}'],
  // JSON would print these numbers differently.
  ['the raw bytes', '{"b":8.3e-05,"a":13.0}', '{"b":8.3e-05,"a":13.0}'],
])('a signature is valid over %s', (_form, body, signed) => {
  expect(isSigned(body, sign(signed))).toBe(true);
});

it.each([
  ['a changed status', BODY.replace('finished', 'refunded')],
  ['a changed amount', BODY.replace('"actually_paid":100', '"actually_paid":999')],
  ['a changed nested fee', BODY.replace('"serviceFee":0.5', '"serviceFee":0')],
  ['an added field', BODY.replace('{"actually_paid"', '{"a":1,"actually_paid"')],
  ['an added __proto__', BODY.replace('{"actually_paid"', '{"__proto__":{"x":1},"actually_paid"')],
])('a signature is invalid with %s', (_change, body) => {
  expect(isSigned(body, SIGNATURE)).toBe(false);
});

it('a signature is invalid for the form that leaves nested fields unsigned', () => {
  const parsed = JSON.parse(BODY) as Record<string, unknown>;
  expect(isSigned(BODY, sign(JSON.stringify(parsed, Object.keys(parsed).sort())))).toBe(false);
});

it.each(['', 'x'.repeat(128), SIGNATURE.slice(1), `${SIGNATURE}00`, sign('')])(
  'a signature is invalid as %p',
  (signature) => {
    expect(isSigned(BODY, signature)).toBe(false);
  },
);

it('a signature is invalid with another secret, and for a body nested too deeply', () => {
  expect(isSigned(BODY, SIGNATURE, 'other')).toBe(false);
  expect(isSigned(`${'{"a":'.repeat(8_000)}1${'}'.repeat(8_000)}`, SIGNATURE)).toBe(false);
});
