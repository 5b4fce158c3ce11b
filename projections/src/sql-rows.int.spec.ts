import { integers, texts } from './sql-rows.js';
import { TestWorker } from './testing/worker.js';

const worker = TestWorker.forTests('all');

const signs = [
  '',
  'null',
  'NULL',
  'a,b',
  '{x}',
  '"',
  '\\',
  '\\"',
  ' padded ',
  'line\nfeed',
  'ünïcode €',
  "it's",
  'a@b.c',
];

it.each([
  ['text', texts, [...signs, 'gamer:0:x', null]],
  ['bigint', integers, ['0', '-1', String(Number.MAX_SAFE_INTEGER), '9223372036854775807', null]],
  ['text', texts, []],
  ['bigint', integers, []],
])('keeps %s unchanged in an array', async (type, literal, values) => {
  const sql = `SELECT * FROM unnest($1::${type}[]) AS value`;
  const { rows } = await worker.db.query<{ value: string | null }>(sql, [literal(values)]);
  expect(rows.map(({ value }) => value)).toEqual(values);
});
