import { Registry } from 'prom-client';
import { runCommand } from '../../event-log/startup.js';
import { Config } from './platform/config.js';
import { sealDatabase } from './platform/row-sealing.store.js';
import { RowSeals } from './platform/row-seals.js';

/**
 * `node dist/api/src/seal-rows.js [--seal]`: lists the rows of accounts that are not genuine; with `--seal` it seals them as they
 * stand. It takes the settings of an api node. For a restored dump of a release without seals.
 */
await runCommand(async () => {
  const config = new Config(process.env);
  const seals = new RowSeals(config, new Registry());
  const isSealing = process.argv[2] === '--seal';
  let count = 0;
  await sealDatabase(config.databaseUrl, seals, (table, row) => {
    if (seals.fits(table, row)) return false;
    count += 1;
    process.stdout.write(`auth.${table} of ${row.content.gamerId} ${row.seal ? 'was changed' : 'has no seal'}\n`);
    return isSealing;
  });
  const outcome = isSealing && count > 0 ? ', and are sealed now as they stand' : '';
  process.stdout.write(`${count} rows are not genuine${outcome}.\n`);
});
