import { EventLog } from '../../event-log/event-log.js';
import { chosenViews } from './chosen-views.js';
import { compareViews } from './compare-views.js';
import { readConfig } from './config.js';

/** `node dist/projections/src/compare.js <view>…|all`: does a rebuild equal what serves? Exit 1 when not. */
const { databaseUrl, eventStoreUrl } = readConfig(process.env);
const log = new EventLog(eventStoreUrl);
const comparisons = await compareViews(chosenViews(process.argv.slice(2)), { databaseUrl, log });
for (const { table, rows, onlyServing, onlyRebuilt } of comparisons) {
  const equal = onlyServing === 0 && onlyRebuilt === 0;
  if (!equal) process.exitCode = 1;
  const verdict = equal ? 'equal' : `DIFFERENT: ${onlyServing} rows serve only, ${onlyRebuilt} are rebuilt only`;
  console.log(`${table}: ${rows} rows, ${verdict}`);
}
await log.close();
