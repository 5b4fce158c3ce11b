/*
 * Who waits for a password to be hashed. The hashing itself, which takes a core for some 12 ms a time, is not done here.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Config } from '../config.js';
import { Unavailable } from '../http/refused.js';
import { Passwords } from './passwords.js';

const config = new Config({
  DATABASE_URL: 'postgres://nowhere',
  EVENT_STORE_URL: 'esdb://nowhere',
  SESSION_SECRET: 'a secret that only tests know',
});
const work = { atOnce: 0, most: 0, done: 0 };

jest.mock('@node-rs/argon2', () => ({
  hash: async (password: string) => {
    work.atOnce += 1;
    work.most = Math.max(work.most, work.atOnce);
    await nextTurn();
    work.atOnce -= 1;
    work.done += 1;
    return `hash of ${password}`;
  },
  verify: async () => false,
}));

it('two at once are hashed and a hundred wait; more are refused, and taken again afterwards', async () => {
  const passwords = new Passwords(config);
  await passwords.matches('the first one', null);
  Object.assign(work, { most: 0, done: 0 });
  const outcomes = await Promise.allSettled(Array.from({ length: 110 }, (_, index) => passwords.hash(`${index}`)));
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  expect(outcomes.slice(0, 102)).toEqual(
    Array.from({ length: 102 }, (_, index) => ({ status: 'fulfilled', value: `hash of ${index}` })),
  );
  expect(refused).toEqual(Array(8).fill(new Unavailable('too many passwords wait to be checked')));
  expect(work).toEqual({ atOnce: 0, most: 2, done: 102 });
  await expect(passwords.hash('words')).resolves.toBe('hash of words');
});
