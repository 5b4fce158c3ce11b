import { EventLog } from '../../event-log/event-log.js';
import { chosenViews } from './chosen-views.js';
import { readConfig } from './config.js';
import { rebuildView } from './rebuild-view.js';

/** `node dist/projections/src/rebuild.js <view>…|all`: builds read models anew from the log and swaps them in. */
const { databaseUrl, eventStoreUrl } = readConfig(process.env);
const log = new EventLog(eventStoreUrl);
for (const view of chosenViews(process.argv.slice(2))) {
  const position = await rebuildView(view, { databaseUrl, log });
  console.log(`${view.name}: rebuilt up to ${position}`);
}
await log.close();
