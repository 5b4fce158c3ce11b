import type { CommandId } from '../../../../contracts/ids.js';
import type { Config } from '../../platform/config.js';
import { Passwords } from './passwords.js';

const config = { sessionSecret: 'a secret that only tests know' } as Config;

const passwords = new Passwords(config);

it('passwords are hashed with argon2id at 19 MiB, two passes, one lane, and salted', async () => {
  const [one, other] = await Promise.all([passwords.hash('same words'), passwords.hash('same words')]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(other);
});

it('passwords match only themselves, in every Unicode composition, and nothing without a hash', async () => {
  const hash = await passwords.hash('caf\u00e9 noir');
  expect(await passwords.matches('caf\u00e9 noir', hash, 'here')).toBe(true);
  expect(await passwords.matches('cafe\u0301 noir', hash, 'here')).toBe(true);
  expect(await passwords.matches('cafe noir', hash, 'here')).toBe(false);
  expect(await passwords.matches('caf\u00e9 noir', null, 'here')).toBe(false);
});

it('passwords have a fingerprint that depends on command and secret', async () => {
  const command = 'c-1' as CommandId;
  const first = await passwords.fingerprint('caf\u00e9 noir', command);
  const elsewhere = new Passwords({ sessionSecret: 'another secret of tests' } as Config);
  expect(first).toMatch(/^[\w-]{43}$/);
  expect(await passwords.fingerprint('cafe\u0301 noir', command)).toBe(first);
  expect(await passwords.fingerprint('cafe noir', command)).not.toBe(first);
  expect(await passwords.fingerprint('caf\u00e9 noir', 'c-2' as CommandId)).not.toBe(first);
  expect(await elsewhere.fingerprint('caf\u00e9 noir', command)).not.toBe(first);
});
