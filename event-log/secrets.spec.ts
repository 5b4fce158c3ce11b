import { secretRedactor } from './secrets.js';

const redact = secretRedactor({
  SESSION_SECRET: 'a "quoted" secret',
  ADMIN_PASSWORD: 'p+ss.(word)',
  DATABASE_URL: 'postgres://omni:dbpass@127.0.0.1/omni',
  EVENT_STORE_URL: 'esdb://omni:p%40ss%2Fword@host:2113?tls=true',
  SMTP_URL: 'smtp:/user:broken-url@host',
  PAYMENTS_API_URL: 'https://api.example/v1',
  METRICS_TOKEN: '',
  PUSH_SECRET: 'four',
  PAYMENTS_API_KEY: 'four and more',
  PAYMENTS_PASSWORD: 'and',
  READER_EVENT_STORE_URL: 'esdb://host?user=reader&password=in-a-query&tls=true',
  PAYMENTS_CALLBACK_URL: 'https://me:wi/th:co:lons@example/',
});

it.each([
  ['a secret', 'it is a "quoted" secret!', 'it is [secret]!'],
  ['a secret in JSON', JSON.stringify({ is: 'a "quoted" secret' }), '{"is":"[secret]"}'],
  ['a secret with characters special to patterns', 'x p+ss.(word) y', 'x [secret] y'],
  ['a URL with a password', 'at postgres://omni:dbpass@127.0.0.1/omni', 'at [secret]'],
  ['a password alone', 'wrong: dbpass', 'wrong: [secret]'],
  ['an encoded and a decoded password', 'p%40ss%2Fword p@ss/word', '[secret] [secret]'],
  ['the password of an invalid URL', 'no broken-url', 'no [secret]'],
  ['a password in a query', 'the in-a-query&', 'the [secret]&'],
  ['a password with signs of a URL', '(wi/th:co:lons)', '([secret])'],
  [
    'a secret that begins as another, and a word as short as three letters',
    'four and more and four',
    '[secret] and [secret]',
  ],
  ['a URL without a password', 'https://api.example/v1', 'https://api.example/v1'],
])('handles %s', (_, text, expected) => {
  expect(redact(text)).toBe(expected);
});

it('changes nothing when there are no secrets', () => {
  expect(secretRedactor({})('some text')).toBe('some text');
});
