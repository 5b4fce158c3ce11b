/** A setting with which the process cannot work. The message is one sentence without any secret. */
export class InvalidSetting extends Error {}

type Env = Readonly<Record<string, string | undefined>>;

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

export function requiredSetting(env: Env, name: string): string {
  const value = env[name];
  if (!value) throw new InvalidSetting(`${name} is not set`);
  return value;
}

/** Checks the URL itself, because pg's error for an invalid URL shows the URL with its password. */
export function databaseUrlSetting(env: Env): string {
  const url = requiredSetting(env, 'DATABASE_URL');
  if (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)) return url;
  throw new InvalidSetting('DATABASE_URL is not a valid address, such as postgres://user:password@host:5432/database.');
}

/** A category of its own for each game on a server, and for the neighbours: the text before a stream's first dash. */
export const DEFAULT_STREAM_PREFIX = 'omni_';

export function streamPrefixSetting(env: Env): string {
  const prefix = env.STREAM_PREFIX || DEFAULT_STREAM_PREFIX;
  if (/^[A-Za-z0-9_]{1,32}$/.test(prefix)) return prefix;
  throw new InvalidSetting('STREAM_PREFIX must be 1 to 32 letters, digits or underscores');
}

/** Returns `info` for an unknown level: the wrong setting itself must be logged too. */
export const knownLogLevel = (level = ''): string => (LOG_LEVELS.includes(level) ? level : 'info');

export function logLevelSetting(env: Env): string {
  const level = env.LOG_LEVEL || 'info';
  if (LOG_LEVELS.includes(level)) return level;
  throw new InvalidSetting(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}`);
}
