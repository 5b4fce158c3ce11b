import { databaseUrlSetting } from '../../event-log/settings.js';
import { runCommand } from '../../event-log/startup.js';
import { migrate } from './platform/migrations.js';

/** `node dist/api/src/migrate.js`: migrates the api's tables and ends. Each api node would otherwise do so at its start. */
await runCommand(() => migrate(databaseUrlSetting(process.env)));
