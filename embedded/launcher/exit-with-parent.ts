/**
 * Preloaded (`node --import`) into each process of the application. It ends the process when the launcher dies, even on
 * `kill -9`: the launcher holds the other end of stdin, which then closes.
 */
const GRACE_MS = 5_000;

function end(): void {
  setTimeout(() => process.exit(1), GRACE_MS).unref();
  process.kill(process.pid, 'SIGTERM');
}

process.stdin.once('end', end).once('error', end).resume();
// The open stdin alone must not keep the process alive.
(process.stdin as NodeJS.ReadStream & { unref?(): void }).unref?.();
