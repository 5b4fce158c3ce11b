import { integers, texts } from './sql-rows.js';
import { TestWorker } from './testing/worker.js';

const worker = TestWorker.forTests('all');

const strange = [
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
  'gamer:0:x',
];

it('keeps text unchanged', async () => {
  const values = [...strange, null];
  const { rows } = await worker.db.query<{ value: string | null }>('SELECT * FROM unnest($1::text[]) AS value', [
    texts(values),
  ]);
  expect(rows.map(({ value }) => value)).toEqual(values);
});

it('keeps integers unchanged', async () => {
  const values = [0, -1, Number.MAX_SAFE_INTEGER, '9223372036854775807', null];
  const { rows } = await worker.db.query<{ value: string | null }>('SELECT * FROM unnest($1::bigint[]) AS value', [
    integers(values),
  ]);
  expect(rows.map(({ value }) => value)).toEqual(values.map((value) => (value === null ? null : String(value))));
});

it('makes an empty array without values', async () => {
  const { rows } = await worker.db.query('SELECT * FROM unnest($1::text[], $2::int[])', [texts([]), integers([])]);
  expect(rows).toEqual([]);
});
