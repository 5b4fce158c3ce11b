import { type Logger, pino } from 'pino';
import { secretRedactor } from '../../event-log/secrets.js';
import {
  databaseUrlSetting,
  knownLogLevel,
  logLevelSetting,
  requiredSetting,
  streamPrefixSetting,
} from '../../event-log/settings.js';

/** The worker's settings. Throws InvalidSetting. */
export const readConfig = (env: NodeJS.ProcessEnv) => ({
  databaseUrl: databaseUrlSetting(env),
  eventStoreUrl: requiredSetting(env, 'EVENT_STORE_URL'),
  streamPrefix: streamPrefixSetting(env),
  logLevel: logLevelSetting(env),
});

/** Writes lines of JSON to stdout, without the settings' secrets. */
export const createLogger = (level: string | undefined): Logger =>
  pino({ level: knownLogLevel(level), hooks: { streamWrite: secretRedactor(process.env) } });
