import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { importedFrom, programHash } from './snapshots.store.js';

const ROOT = path.join(__dirname, '..', '..', '..');
const ENTRIES = ['api/src/ledger/ledger-replica.js', 'domain/ledger/ledger-snapshot.js'];

const entriesIn = (folder: string): URL[] => ENTRIES.map((file) => pathToFileURL(path.join(folder, file)));
const namesIn = (folder: string): string[] =>
  importedFrom(entriesIn(folder)).map(({ url }) => path.relative(folder, decodeURIComponent(url.pathname)));

it('covers every file that the program imports, but no decider', () => {
  const names = namesIn(ROOT);
  expect(names).toEqual(expect.arrayContaining(ENTRIES));
  for (const name of ['evolve', 'ledger-state', 'tree', 'postings', 'chain'])
    expect(names).toContain(`domain/ledger/${name}.js`);
  for (const name of ['game', 'matrix']) expect(names).toContain(`domain/${name}.js`);
  expect(names).toContain('contracts/events/ledger-events.js');
  for (const name of ['ledger/decide', 'purchases', 'payments']) expect(names).not.toContain(`domain/${name}.js`);
});

it('covers all imports except Node’s own modules', () => {
  const others = importedFrom(entriesIn(ROOT)).flatMap(({ text }) =>
    [...text.matchAll(/\bfrom '([^.][^']*)'|\bimport\(/g)].map(([, name]) => name),
  );
  expect([...new Set(others)]).toEqual(['node:crypto']);
});

it('of another program differs when any one of its files differs, and nothing else matters', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'omni-jackpot-program-'));
  for (const part of ['contracts', 'domain', 'api/src/ledger'])
    cpSync(path.join(ROOT, part), path.join(folder, part), { recursive: true });
  const here = programHash();
  expect(programHash(entriesIn(folder))).toBe(here);
  for (const { url, text } of importedFrom(entriesIn(folder))) {
    const file = new URL(url.href.replace(/\.js$/, '.ts'));
    writeFileSync(file, `${text}\n`);
    expect(programHash(entriesIn(folder))).not.toBe(here);
    writeFileSync(file, text);
  }
  writeFileSync(path.join(folder, 'domain/ledger/decide.ts'), '');
  expect(programHash(entriesIn(folder))).toBe(here);
  rmSync(folder, { recursive: true });
});
