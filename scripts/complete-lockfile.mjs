/**
 * Adds the optional packages of other platforms to package-lock.json. A registry mirror may lack them; npm then leaves them
 * out of the lockfile, and `npm ci` fails on those platforms ("Missing: …").
 * Run it after every change of dependencies: node scripts/complete-lockfile.mjs
 */
import { readFileSync, writeFileSync } from 'node:fs';

const path = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(path, 'utf8'));

/** The lockfile's key of the package that Node resolves `name` to from the package at `from`; undefined when it is missing. */
function locate(from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const key = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (key in lock.packages) return key;
    if (folder === '') return undefined;
    if (!folder.includes('/node_modules/')) folder = '';
  }
}

const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32', 'aix', 'netbsd', 'openbsd', 'sunos'];
const PROCESSORS = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64', 'mips64el', 'wasm32'];

/** The platform that a package name ends with, such as `core-linux-x64-musl`. */
function platformOf(name) {
  const parts = name.split(/[-/]/);
  const cpu = PROCESSORS.find((candidate) => parts.includes(candidate));
  const os = SYSTEMS.find((candidate) => parts.includes(candidate));
  if (cpu === undefined || (os === undefined && cpu !== 'wasm32')) {
    throw new Error(`cannot tell the platform of ${name}: add it to package-lock.json by hand`);
  }
  const isGlibc = parts.includes('gnu') && os === 'linux';
  const libc = parts.includes('musl') ? ['musl'] : isGlibc && ['glibc'];
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
