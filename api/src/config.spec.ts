import { Config } from './config.js';

const env = { DATABASE_URL: 'postgres://x', EVENT_STORE_URL: 'esdb://x', SESSION_SECRET: '0123456789abcdef' };

describe('the settings', () => {
  it('need the stores and a secret', () => {
    for (const name of Object.keys(env)) {
      expect(() => new Config({ ...env, [name]: undefined })).toThrow(`${name} is not set`);
    }
    expect(() => new Config({ ...env, SESSION_SECRET: 'short' })).toThrow('at least 16 characters');
  });

  it('know the rest by themselves', () => {
    const config = new Config(env);
    expect(config).toMatchObject({ host: '127.0.0.1', port: 3000, publicOrigins: [], adminGamerTag: 'admin' });
    expect(config).toMatchObject({ trustProxy: false, isHttpsOnly: false, webRoot: null });
    expect(config.attemptLimits).toMatchObject({ loginsPerAccountAndAddress: 10 });
  });

  it('take origins as a list, and believe a nearby proxy once there is https', () => {
    const config = new Config({ ...env, PUBLIC_ORIGIN: 'https://play.example/, http://localhost:3000' });
    expect(config.publicOrigins).toEqual(['https://play.example', 'http://localhost:3000']);
    expect(config).toMatchObject({ isHttpsOnly: false, trustProxy: 'loopback, uniquelocal' });
    expect(new Config({ ...env, PUBLIC_ORIGIN: 'https://play.example' }).isHttpsOnly).toBe(true);
  });

  it('send links in mails to the first public origin, and nowhere a request could name', () => {
    expect(new Config({ ...env, PUBLIC_ORIGIN: 'https://play.example, http://localhost:3000' }).linkOrigin).toBe(
      'https://play.example',
    );
    expect(new Config(env).linkOrigin).toBe('http://127.0.0.1:3000');
    for (const HOST of ['0.0.0.0', '::']) {
      expect(new Config({ ...env, HOST, PORT: '8080' }).linkOrigin).toBe('http://localhost:8080');
    }
    expect(new Config({ ...env, HOST: '::1' }).linkOrigin).toBe('http://[::1]:3000');
    expect(new Config(env).smtpUrl).toBeNull();
  });

  it.each([
    ['PORT', 'eighty'],
    ['RATE_LIMITS', 'maybe'],
    ['PUBLIC_ORIGIN', 'play.example'],
    ['PUBLIC_ORIGIN', 'ftp://play.example'],
    ['LIMIT_LOGINS_PER_ADDRESS', '0'],
    ['ADMIN_GAMER_TAG', 'no tag'],
    ['SMTP_URL', 'mail.example:25'],
    ['SMTP_URL', 'https://mail.example'],
  ])('refuse %s=%s', (name, value) => {
    expect(() => new Config({ ...env, [name]: value })).toThrow(name);
  });
});
