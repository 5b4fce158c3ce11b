import { becomeWriter } from './postgres-runs.js';

/** A connection to a server of this version, which answers the first query and fails every other. */
const serverOf = (number: number, name: string) => {
  const answers = [{ rows: [{ number, name }] }];
  const query = async () => answers.shift() ?? Promise.reject(new Error('syntax error at or near "STORAGE"'));
  return { query } as unknown as Parameters<typeof becomeWriter>[0];
};

it('says in a sentence that a server is too old, before it sends what that server cannot read', async () => {
  await expect(becomeWriter(serverOf(150_013, '15.13'))).rejects.toThrow(
    'This event store needs Postgres 16 or later, and this server is 15.13.',
  );
  await expect(becomeWriter(serverOf(160_000, '16.0'))).rejects.toThrow('syntax error');
});
