import { paymentsConfig } from './payments.config.js';

const env = {
  PAYMENTS_API_URL: 'https://api.nowpayments.io/v1',
  PAYMENTS_API_KEY: 'key',
  PAYMENTS_IPN_SECRET: 'secret',
  PAYMENTS_EMAIL: 'shop@example.com',
  PAYMENTS_PASSWORD: 'password',
};

it('is none without the gateway’s address', () => {
  expect(paymentsConfig({ ...env, PAYMENTS_API_URL: '' }, 'http://game.example')).toBeNull();
});

it('takes callbacks at its own address unless another is given', () => {
  expect(paymentsConfig(env, 'http://game.example')?.callbackUrl).toBe('http://game.example/api/payments/ipn');
  const elsewhere = { ...env, PAYMENTS_CALLBACK_URL: 'https://hooks.example/' };
  expect(paymentsConfig(elsewhere, 'http://game.example')?.callbackUrl).toBe('https://hooks.example/api/payments/ipn');
});

it.each(['PAYMENTS_API_KEY', 'PAYMENTS_IPN_SECRET', 'PAYMENTS_EMAIL', 'PAYMENTS_PASSWORD'])('needs %s', (name) => {
  expect(() => paymentsConfig({ ...env, [name]: '' }, 'http://game.example')).toThrow(`${name} is not set`);
});

it.each(['PAYMENTS_API_URL', 'PAYMENTS_CALLBACK_URL'])('refuses a %s that is no web address', (name) => {
  expect(() => paymentsConfig({ ...env, [name]: 'file:///etc' }, 'http://game.example')).toThrow(name);
});
