import { InvalidSetting } from '../../../event-log/settings.js';
import { Config } from './config.js';

const env = { DATABASE_URL: 'postgres://x', EVENT_STORE_URL: 'esdb://x', SESSION_SECRET: '0123456789abcdef' };

describe('the settings', () => {
  it('require both stores and a secret', () => {
    for (const name of Object.keys(env)) {
      expect(() => new Config({ ...env, [name]: undefined })).toThrow(`${name} is not set`);
    }
    expect(() => new Config({ ...env, SESSION_SECRET: 'short' })).toThrow('at least 16 characters');
  });

  it('have defaults for all others', () => {
    const config = new Config(env);
    expect(config).toMatchObject({ host: '127.0.0.1', port: 3000, publicOrigins: [], adminGamerTag: 'admin' });
    expect(config).toMatchObject({
      trustProxy: false,
      isHttpsOnly: false,
      webRoot: null,
      smtpUrl: null,
      payments: null,
    });
    expect(config.attemptLimits).toMatchObject({ loginsPerAccountAndAddress: 10 });
  });

  it('read origins as a list, and trust a nearby proxy with https', () => {
    const config = new Config({ ...env, PUBLIC_ORIGIN: 'https://play.example/, http://localhost:3000' });
    expect(config.publicOrigins).toEqual(['https://play.example', 'http://localhost:3000']);
    expect(config).toMatchObject({ isHttpsOnly: false, trustProxy: 'loopback, uniquelocal' });
    expect(new Config({ ...env, PUBLIC_ORIGIN: 'https://play.example' }).isHttpsOnly).toBe(true);
  });

  it.each([
    ['TRUST_PROXY', 'off', 'trustProxy', false],
    ['TRUST_PROXY', '2', 'trustProxy', 2],
    ['TRUST_PROXY', 'loopback, 203.0.113.0/24', 'trustProxy', 'loopback, 203.0.113.0/24'],
    ['MAIL_FROM', 'no-reply@play.example', 'mailFrom', 'no-reply@play.example'],
    ['MAIL_FROM', 'Omni <no-reply@play.example>', 'mailFrom', 'Omni <no-reply@play.example>'],
  ] as const)('accept %s=%s', (name, value, field, read) => {
    expect(new Config({ ...env, [name]: value })[field]).toBe(read);
  });

  it('use the first public origin in mail links, never the host of a request', () => {
    const origins = { PUBLIC_ORIGIN: 'https://play.example, http://localhost:3000' };
    expect(new Config({ ...env, ...origins }).linkOrigin).toBe('https://play.example');
    expect(new Config(env).linkOrigin).toBe('http://127.0.0.1:3000');
    for (const HOST of ['0.0.0.0', '::']) {
      expect(new Config({ ...env, HOST, PORT: '8080' }).linkOrigin).toBe('http://localhost:8080');
    }
    expect(new Config({ ...env, HOST: '::1' }).linkOrigin).toBe('http://[::1]:3000');
  });

  it.each([
    ['PORT', 'eighty'],
    ['RATE_LIMITS', 'maybe'],
    ['PUBLIC_ORIGIN', 'play.example'],
    ['PUBLIC_ORIGIN', 'ftp://play.example'],
    ['LIMIT_LOGINS_PER_ADDRESS', '0'],
    ['REALITY_CHECK_MINUTES', '0'],
    ['ADMIN_GAMER_TAG', 'no tag'],
    ['SMTP_URL', 'mail.example:25'],
    ['SMTP_URL', 'https://mail.example'],
    ['SESSION_SECRET', 'short-secret'],
    ['EXCLUSION_SECRET', 'short-secret'],
    ['PROTECTION_PROFILE', 'lax'],
    ['LEDGER_SIGNING_SECRET', 'short-secret'],
    ['LEDGER_SIGNING_SECRET_BEFORE', 'short-secret'],
    ['LEDGER_NAME', 'two names'],
    ['DATABASE_URL', 'postgres//omni:password@host'],
    ['PAYMENTS_API_URL', '//omni:password@gateway.example'],
    ['LOG_LEVEL', 'loud'],
    ['TRUST_PROXY', '10.0.0.0/99'],
    ['TRUST_PROXY', 'nginx'],
    ['ADMIN_EMAIL', 'nobody'],
    ['MAIL_FROM', 'nobody@'],
  ])('refuse %s=%s by a sentence without the value', (name, value) => {
    const sentence = refusal({ ...env, [name]: value });
    expect(sentence).toContain(name);
    expect(sentence).not.toContain(value);
  });

  it('ask a gamer as often as the profile wants, or more often', () => {
    const minutes = (settings: Record<string, string>) => new Config({ ...env, ...settings }).realityCheckMinutes;
    expect(minutes({})).toBe(30);
    expect(minutes({ REALITY_CHECK_MINUTES: '60' })).toBe(60);
    expect(minutes({ PROTECTION_PROFILE: 'strict' })).toBe(15);
    expect(minutes({ PROTECTION_PROFILE: 'strict', REALITY_CHECK_MINUTES: '10' })).toBe(10);
    expect(refusal({ ...env, PROTECTION_PROFILE: 'standard', REALITY_CHECK_MINUTES: '31' })).toBe(
      'REALITY_CHECK_MINUTES must be at most 30 with PROTECTION_PROFILE=standard',
    );
  });

  function refusal(wrong: Record<string, string>): string {
    try {
      new Config(wrong);
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidSetting);
      return (error as InvalidSetting).message;
    }
    throw new Error('the configuration was accepted');
  }
});

describe('the settings of the payment gateway', () => {
  const gateway = {
    ...env,
    PUBLIC_ORIGIN: 'http://game.example',
    PAYMENTS_API_URL: 'https://api.nowpayments.io/v1',
    PAYMENTS_API_KEY: 'key',
    PAYMENTS_IPN_SECRET: 'secret',
    PAYMENTS_EMAIL: 'shop@example.com',
    PAYMENTS_PASSWORD: 'password',
  };

  it('name the api’s own address for callbacks unless another is set', () => {
    expect(new Config(gateway).payments?.callbackUrl).toBe('http://game.example/api/payments/ipn');
    const elsewhere = new Config({ ...gateway, PAYMENTS_CALLBACK_URL: 'https://hooks.example/' });
    expect(elsewhere.payments?.callbackUrl).toBe('https://hooks.example/api/payments/ipn');
  });

  it('require an https address for callbacks when the site is https', () => {
    const https = { ...gateway, PUBLIC_ORIGIN: 'https://game.example' };
    expect(() => new Config({ ...https, PAYMENTS_CALLBACK_URL: 'http://hooks.example' })).toThrow(
      'PAYMENTS_CALLBACK_URL must begin with https://',
    );
    expect(new Config(https).payments?.callbackUrl).toBe('https://game.example/api/payments/ipn');
    const practice = new Config({ ...https, PAYMENTS_CALLBACK_URL: 'http://127.0.0.1:3000' });
    expect(practice.payments?.callbackUrl).toBe('http://127.0.0.1:3000/api/payments/ipn');
  });

  it.each(['PAYMENTS_API_KEY', 'PAYMENTS_IPN_SECRET', 'PAYMENTS_EMAIL', 'PAYMENTS_PASSWORD'])('require %s', (name) => {
    expect(() => new Config({ ...gateway, [name]: '' })).toThrow(`${name} is not set`);
  });

  it.each(['PAYMENTS_API_URL', 'PAYMENTS_CALLBACK_URL'])('refuse a %s that is not a web address', (name) => {
    expect(() => new Config({ ...gateway, [name]: 'file:///etc' })).toThrow(name);
  });
});
