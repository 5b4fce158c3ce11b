import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

const running = new Set();

/**
 * Runs a command to its end in a process group of its own.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ quiet?: boolean, env?: Record<string, string> }} [options] quiet: hold back what it prints, and return it
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
    child.once('close', (code) => {
      running.delete(child);
      resolve({ ok: code === 0, output });
    });
  });
}

/** Runs a tool that a package installed, by this very Node. */
export const runTool = (file, args, options) => run(process.execPath, [`node_modules/${file}`, ...args], options);

/** Ends what was started when we are told to end, and also when npm, our parent, is killed without a word to us. */
export function endTogether() {
  const end = (exitCode) => {
    for (const child of running) {
      try {
        process.kill(-child.pid, 'SIGTERM');
      } catch {
        // It ended by itself meanwhile.
      }
    }
    process.exit(exitCode);
  };
  process.on('SIGINT', () => end(130));
  process.on('SIGTERM', () => end(143));
  process.on('SIGHUP', () => end(129));
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && end(1), 500).unref();
}
