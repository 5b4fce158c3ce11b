import { EventLog } from '../../event-log/event-log.js';
import { runCommand } from '../../event-log/startup.js';
import { readConfig } from './config.js';
import type { RebuildOptions, TableComparison } from './rebuild-views.js';
import { allViews } from './views/all-views.js';
import type { View } from './views/view.js';

/** Runs a command on the views that the command line names, or on `all`. */
export const runViewCommand = (command: (views: readonly View[], options: RebuildOptions) => Promise<void>) =>
  runCommand(async () => {
    const { databaseUrl, eventStoreUrl, streamPrefix } = readConfig(process.env);
    const views = viewsByName(process.argv.slice(2));
    const log = new EventLog(eventStoreUrl, { streamPrefix });
    await log.checkConnection();
    await command(views, { databaseUrl, log });
    await log.close();
  });

function viewsByName(names: readonly string[]): readonly View[] {
  if (names.length === 1 && names[0] === 'all') return allViews;
  const known = allViews.map(({ name }) => name).join(', ');
  if (names.length === 0) throw new Error(`Name some of ${known}, or all`);
  const unknown = names.find((name) => allViews.every((view) => view.name !== name));
  if (unknown !== undefined) throw new Error(`There is no view ${unknown}; there are ${known}`);
  return allViews.filter(({ name }) => names.includes(name));
}

export function printComparison({ table, rows, onlyServing, onlyRebuilt }: TableComparison): boolean {
  const isEqual = onlyServing === 0 && onlyRebuilt === 0;
  const verdict = isEqual
    ? 'equal'
    : `DIFFERENT: ${onlyServing} rows only in the serving table, ${onlyRebuilt} only in the rebuilt one`;
  console.log(`${table}: ${rows} rows, ${verdict}`);
  return isEqual;
}
