import type { Column } from '../files.js';
import { newestRows, pageOf, rowsMatching } from './list-table.js';

interface Payment {
  gamer: string | null;
  cents: number;
  atMs: number;
}

const gamer: Column<Payment> = { label: 'Gamer', kind: 'text', value: (row) => row.gamer };
const amount: Column<Payment> = { label: 'Amount', kind: 'cents', value: (row) => row.cents };
const created: Column<Payment> = { label: 'Created', kind: 'dateTime', value: (row) => row.atMs };
const columns = [gamer, amount, created];

const bob = { gamer: 'bob', cents: 120_466, atMs: Date.UTC(2025, 9, 15, 0, 52) };
const alice = { gamer: 'Alice', cents: 700, atMs: Date.UTC(2025, 9, 14, 16) };
const nobody = { gamer: null, cents: 2_000, atMs: Date.UTC(2025, 9, 13, 16) };
const rows = [bob, alice, nobody];

it.each([
  ['', rows],
  ['  ', rows],
  ['ALICE', [alice]],
  ['$1,204.66', [bob]],
  ['120466', [bob]],
  ['oct 14 8:52', [bob]],
  ['alice oct', [alice]],
  ['alice 2000', []],
])('a search for %j finds rows by the text on the screen and by their values', (search, found) => {
  expect(rowsMatching(rows, columns, search)).toEqual(found);
});

it('a page holds the given number of rows, the last one the rest, and one past the end becomes the last', () => {
  expect(pageOf([1, 2, 3, 4, 5], 1, 2)).toEqual({ page: 1, pages: 3, rows: [1, 2] });
  expect(pageOf([1, 2, 3, 4, 5], 3, 2)).toEqual({ page: 3, pages: 3, rows: [5] });
  expect(pageOf([1, 2], 3, 2)).toEqual({ page: 1, pages: 1, rows: [1, 2] });
  expect(pageOf([], 2, 2)).toEqual({ page: 1, pages: 1, rows: [] });
});

const list = (length: number) => Array.from({ length }, (_, i) => ({ id: `${i}` }));
const paged = (rows: { id: string }[]) => async (page: number, pageSize: number) =>
  rows.slice((page - 1) * pageSize, page * pageSize);

describe('fetching the newest rows page by page', () => {
  it.each([
    [0, 0, true],
    [1, 1, true],
    [2, 2, true],
    [5, 5, true],
    [9, 6, false],
  ])('returns of %d rows the newest %d, and whether these are all (%s)', async (length, returned, isWhole) => {
    const rows = list(length).slice(0, returned);
    expect(await newestRows(paged(list(length)), { pages: 3, pageSize: 2 })).toEqual({ rows, isWhole });
  });

  it('returns a row once that slid onto the next page between two requests', async () => {
    const responses = [[{ id: 'c' }, { id: 'b' }], [{ id: 'b' }, { id: 'a' }], []];
    const { rows, isWhole } = await newestRows(async (page) => responses[page - 1] ?? [], { pages: 3, pageSize: 2 });
    expect(rows.map(({ id }) => id)).toEqual(['c', 'b', 'a']);
    expect(isWhole).toBe(true);
  });

  it('returns the rows of a list without pages once', async () => {
    expect(await newestRows(async () => list(5), { pages: 3, pageSize: 2 })).toEqual({ rows: list(5), isWhole: true });
  });
});
