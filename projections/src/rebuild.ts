import { rebuildViews } from './rebuild-views.js';
import { runViewCommand } from './view-command.js';

/** `node dist/projections/src/rebuild.js <view>…|all`: rebuilds read models from the log and swaps them in. */
await runViewCommand(async (views, options) => {
  const position = await rebuildViews(views, options);
  console.log(`${views.map(({ name }) => name).join(', ')}: rebuilt up to ${position}`);
});
