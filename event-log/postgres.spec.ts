import type { PoolClient } from 'pg';
import { isMissingRelation, isPostgresOutage, isSwappedTable, transactionOn } from './postgres.js';

it.each([
  ['08006 40001 53300 57P01 58030 ECONNREFUSED EPIPE EHOSTDOWN ENETDOWN', [true, false, false]],
  ['55P03', [true, false, true]],
  ['42P01', [false, true, true]],
  ['3F000', [false, true, false]],
  ['X42P01 3F0001 X08006 080061 55P031 23505 ECONN', [false, false, false]],
])('%s: an outage, a missing relation, a swapped table: %j', (codes, expected) => {
  const kindsOf = (error: unknown) => [isPostgresOutage(error), isMissingRelation(error), isSwappedTable(error)];
  for (const code of codes.split(' ')) {
    expect(kindsOf(Object.assign(new Error(), { code }))).toEqual(expected);
    expect(kindsOf({ code })).toEqual([false, false, false]);
  }
  expect(isPostgresOutage(new Error('Connection terminated unexpectedly'))).toBe(true);
});

it('runs a transaction on one connection, which it closes after an error', async () => {
  const [statements, release]: [string[], jest.Mock] = [[], jest.fn()];
  const query = async (sql: string) => {
    statements.push(sql);
    if (sql === 'ROLLBACK') throw new Error('the connection is lost');
    return { rows: [] };
  };
  const pool = { connect: async () => ({ query, release }) as unknown as PoolClient };
  expect(await transactionOn(pool, async () => 7)).toBe(7);
  const error = new Error('of the work');
  await expect(transactionOn(pool, () => Promise.reject(error), 'BEGIN READ ONLY')).rejects.toBe(error);
  expect(statements).toEqual(['BEGIN', 'COMMIT', 'BEGIN READ ONLY', 'ROLLBACK']);
  expect(release.mock.calls).toEqual([[undefined], [error]]);
});
