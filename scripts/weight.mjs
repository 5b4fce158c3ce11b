import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './processes.mjs';

/** The weight that one person can keep. A change that adds something takes something away: these numbers fall, and never rise. */
const CEILINGS = {
  'lines of production TypeScript': 48_000,
  'lines of tests and their helpers': 38_000,
  'words of documents': 24_000,
  'packages installed for production': 253,
};

const isTest = (file) => /\.spec\.tsx?$|\.e2e\.ts$|(^|\/)(testing|test|e2e|bench)\//.test(file);
const textOf = (file) => readFileSync(join(root, file), 'utf8');
const linesOf = (file) => textOf(file).split('\n').length - 1;
const wordsOf = (file) => textOf(file).split(/\s+/).filter(Boolean).length;

/** Counts what `CEILINGS` limits, in the files that git tracks or would track. Comments and blank lines count. */
function weigh() {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', list, { cwd: root, encoding: 'utf8' }).split('\n');
  const files = listed.filter((file) => file !== '' && existsSync(join(root, file)));
  const sum = (countOf, isChosen) => files.filter(isChosen).reduce((total, file) => total + countOf(file), 0);
  return {
    'lines of production TypeScript': sum(linesOf, (file) => /\.tsx?$/.test(file) && !isTest(file)),
    'lines of tests and their helpers': sum(linesOf, (file) => /\.(tsx?|mjs|py)$/.test(file) && isTest(file)),
    'words of documents': sum(wordsOf, (file) => file.endsWith('.md')),
    'packages installed for production': productionPackages(),
  };
}

/** The packages of the container image: what package.json's own dependencies need, on any platform. */
function productionPackages() {
  const { packages } = JSON.parse(textOf('package-lock.json'));
  /** The package that Node finds by a name from the package at `path`. */
  const find = (path, name) => {
    for (let folder = path; folder !== ''; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/'))))
      if (packages[`${folder}/node_modules/${name}`]) return `${folder}/node_modules/${name}`;
    return `node_modules/${name}`;
  };
  const found = new Set();
  const visit = (path, names) => {
    for (const name of names.map((needed) => find(path, needed))) {
      const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} } = packages[name] ?? {};
      if (packages[name] === undefined || found.has(name)) continue;
      found.add(name);
      const peers = Object.keys(peerDependencies ?? {}).filter((peer) => !peerDependenciesMeta[peer]?.optional);
      visit(name, [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]);
    }
  };
  visit('', Object.keys(packages[''].dependencies));
  return found.size;
}

/** @returns {string[]} a sentence for each ceiling that is exceeded */
export function findExcess() {
  return Object.entries(weigh())
    .filter(([name, weight]) => weight > CEILINGS[name])
    .map(([name, weight]) => `${weight} ${name}, and ${CEILINGS[name]} are the ceiling: take something away`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.table(weigh());
