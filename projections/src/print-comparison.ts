import type { TableComparison } from './rebuild-views.js';

/** Prints a line about a table; true when the rows are equal. */
export function printComparison({ table, rows, onlyServing, onlyRebuilt }: TableComparison): boolean {
  const isEqual = onlyServing === 0 && onlyRebuilt === 0;
  const verdict = isEqual
    ? 'equal'
    : `DIFFERENT: ${onlyServing} rows only in the serving table, ${onlyRebuilt} only in the rebuilt one`;
  console.log(`${table}: ${rows} rows, ${verdict}`);
  return isEqual;
}
