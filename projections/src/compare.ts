import { compareViews } from './rebuild-views.js';
import { runViewCommand } from './view-command.js';

/** `node dist/projections/src/compare.js <view>…|all`: compares a rebuild with the serving tables. Exit 1 when they differ. */
await runViewCommand(async (views, options) => {
  for (const { table, rows, onlyServing, onlyRebuilt } of await compareViews(views, options)) {
    const isEqual = onlyServing === 0 && onlyRebuilt === 0;
    if (!isEqual) process.exitCode = 1;
    const difference = `${onlyServing} rows only in the serving table, ${onlyRebuilt} only in the rebuilt one`;
    console.log(`${table}: ${rows} rows, ${isEqual ? 'equal' : `DIFFERENT: ${difference}`}`);
  }
});
