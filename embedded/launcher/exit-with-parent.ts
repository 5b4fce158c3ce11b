/**
 * Loaded before a part of the application (`node --import`), it ends that process when the launcher is gone, be it by
 * `kill -9`: the launcher holds the other end of stdin, and its death closes that. No part needs to know of it.
 */
const GRACE_MS = 5_000;

function end(): void {
  setTimeout(() => process.exit(1), GRACE_MS).unref();
  process.kill(process.pid, 'SIGTERM');
}

process.stdin.once('end', end).once('error', end).resume();
// Waiting for it must not keep a part alive that has nothing left to do.
(process.stdin as NodeJS.ReadStream & { unref?(): void }).unref?.();
