/** Preloaded (`node --import`): ends the process with the launcher, which holds the other end of its stdin. */
const GRACE_MS = 5_000;

function end(): void {
  setTimeout(() => process.exit(1), GRACE_MS).unref();
  process.kill(process.pid, 'SIGTERM');
}

process.stdin.once('end', end).once('error', end).resume();
// The open stdin alone must not keep the process alive.
(process.stdin as NodeJS.ReadStream & { unref?(): void }).unref?.();
