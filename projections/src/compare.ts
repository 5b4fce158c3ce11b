import { compareViews } from './rebuild-views.js';
import { printComparison, runViewCommand } from './view-command.js';

/** `node dist/projections/src/compare.js <view>…|all`: compares a rebuild with the serving tables. Exit 1 when they differ. */
await runViewCommand(async (views, options) => {
  for (const table of await compareViews(views, options)) if (!printComparison(table)) process.exitCode = 1;
});
