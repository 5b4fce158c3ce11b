import { type Logger, pino } from 'pino';
import { secretRedactor } from '../../event-log/secrets.js';
import * as settings from '../../event-log/settings.js';

export const readConfig = (env: NodeJS.ProcessEnv) => ({
  databaseUrl: settings.databaseUrlSetting(env),
  eventStoreUrl: settings.requiredSetting(env, 'EVENT_STORE_URL'),
  streamPrefix: settings.streamPrefixSetting(env),
  logLevel: settings.logLevelSetting(env),
});

/** Writes lines of JSON to stdout, without the settings' secrets. */
export const createLogger = (level: string | undefined): Logger =>
  pino({ level: settings.knownLogLevel(level), hooks: { streamWrite: secretRedactor(process.env) } });
