/**
 * The newest rows of a list that answers by pages, as many pages as are wanted. A list that goes on is not whole. A row
 * that slides onto the next page between two questions counts once.
 */
export async function newestRows<Row extends { id: string }>(
  askForPage: (page: number, pageSize: number) => Promise<Row[]>,
  { pages, pageSize }: { pages: number; pageSize: number },
): Promise<{ rows: Row[]; isWhole: boolean }> {
  const rows = new Map<string, Row>();
  for (let page = 1; page <= pages; page += 1) {
    const answer = await askForPage(page, pageSize);
    const before = rows.size;
    for (const row of answer) rows.set(row.id, row);
    // A list that knows no pages answers all of them alike.
    if (answer.length < pageSize || rows.size === before) return { rows: [...rows.values()], isWhole: true };
  }
  return { rows: [...rows.values()], isWhole: false };
}

/** Every row of such a list. */
export async function allRows<Row extends { id: string }>(
  askForPage: (page: number, pageSize: number) => Promise<Row[]>,
  pageSize: number,
): Promise<Row[]> {
  return (await newestRows(askForPage, { pages: Number.POSITIVE_INFINITY, pageSize })).rows;
}
