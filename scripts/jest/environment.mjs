import { AsyncLocalStorage } from 'node:async_hooks';
import crypto from 'node:crypto';
import { createRequire } from 'node:module';
import { isAbsolute } from 'node:path';
import vm from 'node:vm';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** Decorators add to these, and the decorated classes are new in each test file. */
const METADATA_STORAGES = ['typeormMetadataArgsStorage', 'classValidatorMetadataStorage'];

/**
 * Jest opens an AsyncLocalStorage for each test file and never disables it. In Node 20 each open one makes every promise
 * slower: at the end of the run that was half of the processor's time.
 */
const openStorages = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...args) {
  openStorages.add(this);
  return run.apply(this, args);
};

/** Each start of an api derives the same keys from the same secrets, which takes a core a fifth of a second. */
const derivedKeys = new Map();
const { scryptSync } = crypto;
crypto.scryptSync = (...args) => {
  const name = JSON.stringify(args);
  if (!derivedKeys.has(name)) derivedKeys.set(name, scryptSync(...args));
  return Buffer.from(derivedKeys.get(name));
};

/** Compiled modules by file name, of jest itself too: compiling one takes longer than executing it. */
const compiled = new Map();

/** How the module of one of our sources is executed in the present test file. */
let runOurs;

/**
 * Jest compiles modules for a realm of the test file. Here they run in the worker's own realm, in which access to a
 * global variable is also many times faster: jest looks one up at each step of a test.
 */
const { compileFunction } = vm;
vm.compileFunction = (code, parameters, { filename, importModuleDynamically }) => {
  const known = compiled.get(filename);
  if (known?.code === code) return known.run;
  const execute = compileFunction(code, parameters, { filename, importModuleDynamically });
  const isOurs = !filename.includes('/node_modules/');
  const run = isOurs ? (...args) => runOurs(execute, ...args) : execute;
  compiled.set(filename, { code, run });
  return run;
};

/** The function that executes our modules in one test file. It remembers which packages the file replaces by mocks. */
function runnerOfOneFile() {
  const mocked = new Set();
  return (execute, module, exports, jestRequire, folder, filename, jest) => {
    const nodeRequire = createRequire(filename);
    const isOurs = (name) => name.startsWith('.') || isAbsolute(name) || mocked.has(name);
    const require = Object.assign((name) => (isOurs(name) ? jestRequire : nodeRequire)(name), jestRequire);
    const mock = (name, ...rest) => {
      mocked.add(name);
      return jest.mock(name, ...rest);
    };
    execute.call(exports, module, exports, require, folder, filename, { ...jest, mock });
  };
}

/**
 * A jest environment in which all test files of a worker share the packages of node_modules.
 *
 * Jest gives every test file a new realm with new packages, and loading Nest and TypeORM into it takes two seconds of
 * processor time for each file. Here Node itself loads a package, once for each worker. For that, the tests and the
 * sources run in the realm of the packages; otherwise `instanceof Error` or `instanceof Date` would fail between them.
 * The sources themselves are executed anew for each test file, so their state does not pass from file to file.
 */
export default class SharedPackagesEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  /** Jest's older implementation, which no test asks for. */
  fakeTimers = null;
  fakeTimersModern;
  #before = {
    console: globalThis.console,
    exit: process.exit,
    env: { ...process.env },
    keys: new Set(Reflect.ownKeys(globalThis)),
  };

  constructor({ projectConfig: config }) {
    this.fakeTimersModern = new ModernFakeTimers({ config, global: globalThis });
    runOurs = runnerOfOneFile();
  }

  async setup() {}

  /** Undoes global changes by jest and the tests. Additions by packages stay, because the packages stay loaded. */
  async teardown() {
    this.fakeTimersModern.dispose();
    for (const storage of openStorages) storage.disable();
    openStorages.clear();
    globalThis.console = this.#before.console;
    process.exit = this.#before.exit;
    for (const name of Object.keys(process.env)) {
      if (!(name in this.#before.env)) delete process.env[name];
    }
    Object.assign(process.env, this.#before.env);
    for (const key of Reflect.ownKeys(globalThis)) {
      const ofTestFile = typeof key === 'symbol' || METADATA_STORAGES.includes(key);
      if (ofTestFile && !this.#before.keys.has(key)) Reflect.deleteProperty(globalThis, key);
    }
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** Tests share the global context: see `compileFunction`. */
  getVmContext() {
    return globalThis;
  }
}
