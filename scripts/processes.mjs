import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

const running = new Set();

/**
 * Runs a command to its end in a process group of its own.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ quiet?: boolean, env?: Record<string, string> }} [options] quiet: return the output instead of printing it
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export function run(command, args, { quiet = false, env = {} } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      detached: true,
      stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
    });
    running.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.once('error', reject);
    // A killed child's own children may outlive it, and hold its output open.
    child.once('exit', () => endGroup(child));
    child.once('close', (code) => {
      running.delete(child);
      resolve({ ok: code === 0, output });
    });
  });
}

/** Runs the tool of an installed package, with the Node that runs this script and its `flags`. It ends when this process is killed. */
export const runTool = (file, args, { flags = [], ...options } = {}) =>
  run(
    process.execPath,
    [...flags, '--import', './scripts/end-with-parent.mjs', `node_modules/${file}`, ...args],
    options,
  );

function endGroup(child) {
  try {
    process.kill(-child.pid, 'SIGTERM');
  } catch {
    // All of it has ended.
  }
}

/** Ends the started processes when this one gets a signal to end, or when its parent was killed. */
export function endTogether() {
  const end = (exitCode) => {
    running.forEach(endGroup);
    process.exit(exitCode);
  };
  process.on('SIGINT', () => end(130));
  process.on('SIGTERM', () => end(143));
  process.on('SIGHUP', () => end(129));
  onParentEnd(() => end(1));
}

/** A killed npm forwards no signal. */
export function onParentEnd(end) {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && end(), 500).unref();
}
