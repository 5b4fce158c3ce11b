import * as settings from './settings.js';

const { knownLogLevel, requiredSetting } = settings;
const databaseUrl = (DATABASE_URL: string) => settings.databaseUrlSetting({ DATABASE_URL });
const streamPrefix = (STREAM_PREFIX: string) => settings.streamPrefixSetting({ STREAM_PREFIX });
const logLevel = (LOG_LEVEL: string) => settings.logLevelSetting({ LOG_LEVEL });

it('returns valid settings, and defaults', () => {
  for (const url of ['postgres://h/d', 'postgresql://h/d']) expect(databaseUrl(url)).toBe(url);
  for (const prefix of ['a', 'Z9_'.padEnd(32, 'a')]) expect(streamPrefix(prefix)).toBe(prefix);
  for (const level of 'trace debug info warn error fatal silent'.split(' '))
    expect([logLevel(level), knownLogLevel(level)]).toEqual([level, level]);
  expect([requiredSetting({ NAME: 'x' }, 'NAME'), streamPrefix(''), logLevel('')]).toEqual(['x', 'omni_', 'info']);
  expect([knownLogLevel('loud'), knownLogLevel()]).toEqual(['info', 'info']);
});

it('refuses each wrong setting in one sentence', () => {
  const expectRefusal = (read: () => string, sentence: string) =>
    expect(read).toThrow(new settings.InvalidSetting(sentence));
  expectRefusal(() => requiredSetting({ NAME: '' }, 'NAME'), 'NAME is not set');
  expectRefusal(() => databaseUrl(''), 'DATABASE_URL is not set');
  const address = 'DATABASE_URL is not a valid address, such as postgres://user:password@host:5432/database.';
  for (const url of ['xpostgres://h/d', 'http://h/d', 'postgres://h:port/d'])
    expectRefusal(() => databaseUrl(url), address);
  for (const prefix of ['a-b', '.a', 'a.', 'a'.repeat(33)])
    expectRefusal(() => streamPrefix(prefix), 'STREAM_PREFIX must be 1 to 32 letters, digits or underscores');
  expectRefusal(() => logLevel('x'), 'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent');
});
