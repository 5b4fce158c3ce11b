import { EventLog } from '../../event-log/event-log.js';
import { chosenViews } from './chosen-views.js';
import { readConfig } from './config.js';
import { rebuildViews } from './rebuild-views.js';

/** `node dist/projections/src/rebuild.js <view>…|all`: builds read models anew from the log and swaps them in. */
const { databaseUrl, eventStoreUrl } = readConfig(process.env);
const log = new EventLog(eventStoreUrl);
const views = chosenViews(process.argv.slice(2));
const position = await rebuildViews(views, { databaseUrl, log });
console.log(`${views.map(({ name }) => name).join(', ')}: rebuilt up to ${position}`);
await log.close();
