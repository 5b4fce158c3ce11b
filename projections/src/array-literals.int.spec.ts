import { integers, texts } from './array-literals.js';
import { Workplace } from './testing/worker.js';

// Long enough for a machine that is busy with other things.
jest.setTimeout(120_000);

let at: Workplace;
beforeAll(async () => {
  at = await Workplace.open();
});
afterAll(() => at.close());

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

it('text comes back as it was', async () => {
  const values = [...strange, null];
  const { rows } = await at.db.query<{ value: string | null }>('SELECT * FROM unnest($1::text[]) AS value', [
    texts(values),
  ]);
  expect(rows.map(({ value }) => value)).toEqual(values);
});

it('integers come back as they were', async () => {
  const values = [0, -1, Number.MAX_SAFE_INTEGER, '9223372036854775807', null];
  const { rows } = await at.db.query<{ value: string | null }>('SELECT * FROM unnest($1::bigint[]) AS value', [
    integers(values),
  ]);
  expect(rows.map(({ value }) => value)).toEqual(values.map((value) => (value === null ? null : String(value))));
});

it('no values are an empty array', async () => {
  const { rows } = await at.db.query('SELECT * FROM unnest($1::text[], $2::int[])', [texts([]), integers([])]);
  expect(rows).toEqual([]);
});
