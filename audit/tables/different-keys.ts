import { isDeepStrictEqual } from 'node:util';

/** The keys under which a table has another value than the log, none, or one too many. */
export const differentKeys = <Key, Value>(inLog: ReadonlyMap<Key, Value>, inTable: ReadonlyMap<Key, Value>): Key[] =>
  [...new Set([...inLog.keys(), ...inTable.keys()])].filter(
    (key) => !isDeepStrictEqual(inLog.get(key), inTable.get(key)),
  );
