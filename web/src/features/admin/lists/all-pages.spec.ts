import { newestRows } from './all-pages.js';

const list = (length: number) => Array.from({ length }, (_, i) => ({ id: `${i}` }));
const paged = (rows: { id: string }[]) => async (page: number, pageSize: number) =>
  rows.slice((page - 1) * pageSize, page * pageSize);

describe('the newest rows of a paged list', () => {
  it.each([0, 1, 2, 3, 4, 5])('are all %d of them, and the list is whole', async (length) => {
    expect(await newestRows(paged(list(length)), { pages: 3, pageSize: 2 })).toEqual({
      rows: list(length),
      isWhole: true,
    });
  });

  it('end where enough were asked for, and say so', async () => {
    expect(await newestRows(paged(list(9)), { pages: 3, pageSize: 2 })).toEqual({ rows: list(6), isWhole: false });
  });

  it('hold a row once that slid onto the next page', async () => {
    const answers = [[{ id: 'c' }, { id: 'b' }], [{ id: 'b' }, { id: 'a' }], []];
    const { rows, isWhole } = await newestRows(async (page) => answers[page - 1] ?? [], { pages: 3, pageSize: 2 });
    expect(rows.map(({ id }) => id)).toEqual(['c', 'b', 'a']);
    expect(isWhole).toBe(true);
  });

  it('are those of a list that knows no pages', async () => {
    expect(await newestRows(async () => list(5), { pages: 3, pageSize: 2 })).toEqual({ rows: list(5), isWhole: true });
  });
});
