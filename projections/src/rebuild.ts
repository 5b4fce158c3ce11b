import { rebuildViews } from './rebuild-views.js';
import { printComparison, runViewCommand } from './view-command.js';

/** `node dist/projections/src/rebuild.js <view>…|all`: rebuilds read models from the log, compares them and swaps them in. */
await runViewCommand(async (views, options) => {
  const position = await rebuildViews(views, options, (tables) => tables.forEach(printComparison));
  console.log(`${views.map(({ name }) => name).join(', ')}: rebuilt up to ${position}`);
});
