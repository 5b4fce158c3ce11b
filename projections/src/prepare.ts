import { connect } from './database.js';
import { READ_SCHEMA, staleViews } from './read-schema.js';
import { prepareViews } from './rebuild-views.js';
import { printComparison, runViewCommand } from './view-command.js';

/** `node dist/projections/src/prepare.js all` builds changed read models before an upgrade, beside the old worker. */
await runViewCommand(async (views, options) => {
  const db = await connect(options.databaseUrl, READ_SCHEMA);
  const stale = await staleViews(db, views).finally(() => db.end());
  if (stale.length === 0) return console.log('every read model is current');
  const { position, tables } = await prepareViews(stale, options);
  for (const table of tables) printComparison(table);
  console.log(`${stale.map(({ name }) => name).join(', ')}: prepared up to ${position}`);
});
