import { Passwords } from './passwords.js';

describe('passwords', () => {
  it('are hashed with argon2id at 19 MiB, two passes, one lane, and salted', async () => {
    const passwords = new Passwords();
    const [one, other] = await Promise.all([passwords.hash('same words'), passwords.hash('same words')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(other);
  });

  it('match themselves only, however the letters were composed', async () => {
    const passwords = new Passwords();
    const hash = await passwords.hash('caf\u00e9 noir');
    expect(await passwords.matches('caf\u00e9 noir', hash)).toBe(true);
    expect(await passwords.matches('cafe\u0301 noir', hash)).toBe(true);
    expect(await passwords.matches('cafe noir', hash)).toBe(false);
  });

  it('match nothing where there is no hash', async () => {
    expect(await new Passwords().matches('anything', null)).toBe(false);
  });

  it('are refused beyond what can wait, and taken again afterwards', async () => {
    const passwords = new Passwords();
    await passwords.matches('the first one', null);
    const asked = Array.from({ length: 110 }, () => passwords.hash('words'));
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(102);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(8);
    await expect(passwords.hash('words')).resolves.toBeDefined();
  }, 60_000);
});
