import { closeSync, openSync } from 'node:fs';

/* Preloaded (`node --import`): ends the process with the launcher, which holds the other end of its stdin. */
const GRACE_MS = 5_000;

function end(): void {
  // The launcher read the output too. At the exit pino repeats a failed write for ever, so the lowest free number is reused.
  for (const output of [1, 2]) {
    closeSync(output);
    openSync('/dev/null', 'w');
  }
  setTimeout(() => process.exit(1), GRACE_MS).unref();
  process.kill(process.pid, 'SIGTERM');
}

process.stdin.once('end', end).once('error', end).resume();
// The open stdin alone must not keep the process alive.
(process.stdin as NodeJS.ReadStream & { unref?(): void }).unref?.();
