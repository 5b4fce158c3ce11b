/**
 * Adds to package-lock.json the optional packages of other platforms that npm left out.
 * Made against a mirror that lacks them, a lockfile omits them, and `npm ci` then refuses it elsewhere ("Missing: …").
 * Run it after every change of dependencies: node scripts/complete-lockfile.mjs
 */
import { readFileSync, writeFileSync } from 'node:fs';

const path = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(path, 'utf8'));

/** Where Node would find `name` from the package at `from`, as the lockfile's key; undefined when it is not there. */
function locate(from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const key = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (key in lock.packages) return key;
    if (folder === '') return undefined;
    if (!folder.includes('/node_modules/')) folder = '';
  }
}

const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32', 'aix', 'netbsd', 'openbsd', 'sunos'];
const PROCESSORS = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64', 'wasm32'];

/** The platform that a package's name tells, such as `core-linux-x64-musl`. */
function platformOf(name) {
  const words = name.split(/[-/]/);
  const cpu = PROCESSORS.find((word) => words.includes(word));
  const os = SYSTEMS.find((word) => words.includes(word));
  if (cpu === undefined || (os === undefined && cpu !== 'wasm32')) {
    throw new Error(`cannot tell the platform of ${name}: add it to package-lock.json by hand`);
  }
  const libc = words.includes('musl') ? ['musl'] : words.includes('gnu') && os === 'linux' ? ['glibc'] : undefined;
  return { cpu: [cpu], ...(os && { os: [os] }), ...(libc && { libc }) };
}

const added = [];
for (const [parent, { optionalDependencies = {} }] of Object.entries(lock.packages)) {
  const present = Object.keys(optionalDependencies).map((name) => locate(parent, name));
  const sibling = lock.packages[present.find((key) => key !== undefined)] ?? {};
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (locate(parent, name) !== undefined) continue;
    if (!/^\d+\.\d+\.\d+/.test(version)) throw new Error(`${parent} asks for a range of ${name}: ${version}`);
    const { dev, license, engines } = sibling;
    lock.packages[`node_modules/${name}`] = {
      version,
      ...platformOf(name),
      ...(dev && { dev }),
      ...(license && { license }),
      optional: true,
      ...(engines && { engines }),
    };
    added.push(`${name}@${version}`);
  }
}

const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
lock.packages = Object.fromEntries(sorted);
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(added.length === 0 ? 'The lockfile is complete.' : `Added ${added.length}:\n${added.join('\n')}`);
