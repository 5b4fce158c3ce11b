import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './processes.mjs';

/** Words that names and prose do without, and what to say instead. */
const BANNED = {
  'desk|desks': 'panel',
  'door|doors': 'endpoint',
  'judge|judged': 'validated, decided, reviewed',
  'people|oneTo': 'gamers, accounts, users; range',
  'scene|scenes|story|stories': 'test app, scenario, fixture',
  'sought|whomever': 'a noun for the thing',
  'told|untold': 'sent, announced, reported',
};
/** Stored data keeps its names, and this list its words. */
const EXEMPT = /migrations|golden|generated|check-words|package-lock/;

const patterns = Object.entries(BANNED).map(([words, say]) => {
  const capitalized = words.replace(/(^|\|)[a-z]/g, (initial) => initial.toUpperCase());
  return { say, pattern: new RegExp(`(?:(?<![A-Za-z])(?:${words})|(?<![A-Z])(?:${capitalized}))(?![a-z])`) };
});

/** @returns {{ file: string, line: number, found: string, say: string }[]} the banned words in sources and documents */
export function findBannedWords() {
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => /\.(?:[cm]?[jt]sx?|md|sql)$/.test(file) && !EXEMPT.test(file) && existsSync(join(root, file)))
    .flatMap((file) => {
      const lines = readFileSync(join(root, file), 'utf8').split('\n');
      return patterns.flatMap(({ pattern, say }) =>
        lines.flatMap((text, index) => {
          const found = pattern.exec(text)?.[0];
          return found === undefined ? [] : [{ file, line: index + 1, found, say }];
        }),
      );
    });
}
