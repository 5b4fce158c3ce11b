import type { Column } from '../../../shared/lists/columns.js';
import { matching, nextSort, pageOf, sorted } from './listing.js';

interface Payment {
  gamer: string | null;
  cents: number;
  at: number;
}

const gamer: Column<Payment> = { label: 'Gamer', kind: 'text', value: (row) => row.gamer };
const amount: Column<Payment> = { label: 'Amount', kind: 'cents', value: (row) => row.cents };
const created: Column<Payment> = { label: 'Created', kind: 'moment', value: (row) => row.at };
const columns = [gamer, amount, created];

const bob = { gamer: 'bob', cents: 120_466, at: Date.UTC(2025, 9, 15, 0, 52) };
const alice = { gamer: 'Alice', cents: 700, at: Date.UTC(2025, 9, 14, 16) };
const nobody = { gamer: null, cents: 2_000, at: Date.UTC(2025, 9, 13, 16) };
const rows = [bob, alice, nobody];

describe('a search', () => {
  it.each([
    ['', rows],
    ['  ', rows],
    ['ALICE', [alice]],
    ['$1,204.66', [bob]],
    ['120466', [bob]],
    ['oct 14 8:52', [bob]],
    ['alice oct', [alice]],
    ['alice 2000', []],
  ])('of %j finds what a person sees', (search, found) => {
    expect(matching(rows, columns, search)).toEqual(found);
  });
});

describe('sorting', () => {
  it('is the server’s order until a column is chosen', () => {
    expect(sorted(rows, columns, null)).toEqual(rows);
    expect(sorted(rows, columns, { by: 'Gone', direction: 'ascending' })).toEqual(rows);
  });

  it('compares amounts as numbers, names without regard to case', () => {
    expect(sorted(rows, columns, { by: 'Amount', direction: 'ascending' })).toEqual([alice, nobody, bob]);
    expect(sorted(rows, columns, { by: 'Amount', direction: 'descending' })).toEqual([bob, nobody, alice]);
    expect(sorted(rows, columns, { by: 'Gamer', direction: 'ascending' })).toEqual([alice, bob, nobody]);
  });

  it('keeps what has no value last, either way round', () => {
    expect(sorted(rows, columns, { by: 'Gamer', direction: 'descending' })).toEqual([bob, alice, nobody]);
  });

  it('keeps the order of equals, and the rows it was given', () => {
    const twins = [{ ...bob, at: 1 }, { ...bob, at: 2 }, alice];
    const given = [...twins];
    expect(sorted(twins, columns, { by: 'Gamer', direction: 'descending' }).map(({ at }) => at)).toEqual([
      1,
      2,
      alice.at,
    ]);
    expect(twins).toEqual(given);
  });

  it('begins with the newest and the largest, and with A', () => {
    expect(nextSort(null, created).direction).toBe('descending');
    expect(nextSort(null, gamer).direction).toBe('ascending');
    expect(nextSort({ by: 'Gamer', direction: 'ascending' }, gamer).direction).toBe('descending');
    expect(nextSort({ by: 'Gamer', direction: 'descending' }, amount)).toEqual({
      by: 'Amount',
      direction: 'descending',
    });
  });
});

describe('pages', () => {
  it('hold so many rows, the last one the rest', () => {
    expect(pageOf([1, 2, 3, 4, 5], 1, 2)).toEqual({ page: 1, shown: [1, 2] });
    expect(pageOf([1, 2, 3, 4, 5], 3, 2)).toEqual({ page: 3, shown: [5] });
  });

  it('that are gone are the last one', () => {
    expect(pageOf([1, 2], 3, 2)).toEqual({ page: 1, shown: [1, 2] });
    expect(pageOf([], 2, 2)).toEqual({ page: 1, shown: [] });
  });
});
