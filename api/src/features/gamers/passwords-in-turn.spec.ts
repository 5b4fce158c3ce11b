/* The queue in front of password hashing. The hashing itself, about 12 ms of a core each, is mocked. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Config } from '../../platform/config.js';
import { Unavailable } from '../../platform/failures.js';
import { Passwords } from './passwords.js';

const config = { sessionSecret: 'a secret that only tests know' } as Config;
const work = { atOnce: 0, mostAtOnce: 0, done: 0 };

jest.mock('@node-rs/argon2', () => ({
  hash: async (password: string) => {
    work.atOnce += 1;
    work.mostAtOnce = Math.max(work.mostAtOnce, work.atOnce);
    await nextTurn();
    work.atOnce -= 1;
    work.done += 1;
    return `hash of ${password}`;
  },
  verify: async () => false,
}));

it('takes turns between addresses, and lets one address wait with twenty passwords at most', async () => {
  const passwords = new Passwords(config);
  await passwords.matches('the first one', null, '192.0.2.1');
  const order: string[] = [];
  const hash = (address: string) => passwords.hash('words', address).then(() => order.push(address));
  const flood = Array.from({ length: 30 }, () => hash('192.0.2.66'));
  const others = [hash('192.0.2.2'), hash('192.0.2.3')];
  const outcomes = await Promise.allSettled(flood);
  await Promise.all(others);
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(8);
  expect(order.indexOf('192.0.2.2')).toBeLessThan(5);
  expect(order.indexOf('192.0.2.3')).toBeLessThan(5);
});

it('hashes two passwords at once, queues a hundred, refuses more, and accepts again once the queue is shorter', async () => {
  const passwords = new Passwords(config);
  await passwords.matches('the first one', null, '192.0.2.1');
  Object.assign(work, { mostAtOnce: 0, done: 0 });
  const outcomes = await Promise.allSettled(Array.from({ length: 110 }, (_, index) => passwords.hash(`${index}`)));
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  expect(outcomes.slice(0, 102)).toEqual(
    Array.from({ length: 102 }, (_, index) => ({ status: 'fulfilled', value: `hash of ${index}` })),
  );
  expect(refused).toEqual(Array(8).fill(new Unavailable('too many passwords are waiting to be checked')));
  expect(work).toEqual({ atOnce: 0, mostAtOnce: 2, done: 102 });
  await expect(passwords.hash('words')).resolves.toBe('hash of words');
});
