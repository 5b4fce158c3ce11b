import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

/** The programs that fold events into a state and write it as a snapshot. */
const FOLD = ['./ledger-replica.js', '../../../domain/ledger-snapshot.js'].map(
  (path) => new URL(path, import.meta.url),
);
const RELATIVE_IMPORT = /\b(?:from|import)\s*\(?['"](\.[^'"]+)['"]/g;

/**
 * Names the program that folds: SHA-256 over the text of its files and all files they import. A snapshot of another program
 * may lack what this one folds, so it is not used. The hash changes by itself, with a mere comment too: that
 * costs one replay.
 */
export function foldHash(entries: readonly URL[] = FOLD): string {
  const sum = createHash('sha256');
  for (const { text } of importedFrom(entries)) sum.update(`${text.length}\n${text}`);
  return sum.digest('hex');
}

/** The files and everything that they import from this repository, each once, in the order of the imports. */
export function importedFrom(entries: readonly URL[]): { url: URL; text: string }[] {
  const found = new Map<string, { url: URL; text: string }>();
  const visit = (url: URL): void => {
    if (found.has(url.href)) return;
    const text = readFileSync(sourceOf(url), 'utf8');
    found.set(url.href, { url, text });
    for (const [, path = ''] of text.matchAll(RELATIVE_IMPORT)) visit(new URL(path, url));
  };
  entries.forEach(visit);
  return [...found.values()];
}

/** The built file, or the source where nothing was built. */
function sourceOf(url: URL): URL {
  return existsSync(url) ? url : new URL(url.href.replace(/\.js$/, '.ts'));
}
