/**
 * A program for TEST_EVENT_STORE: empties the in-memory event store of a Docker container by a restart, waits until it answers
 * at 127.0.0.1:2113 and prints its connection string. It ends when its input closes; the container stays.
 *
 *     TEST_EVENT_STORE="node scripts/restart-event-store.mjs <container>"
 */
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const TIMEOUT_MS = 90_000;

execFileSync('docker', ['restart', '--time=0', process.argv[2]], { stdio: ['ignore', 'ignore', 'inherit'] });
const startedAt = performance.now();
while (!(await isReady())) {
  if (performance.now() - startedAt > TIMEOUT_MS) throw new Error(`the event store did not answer in ${TIMEOUT_MS} ms`);
  await sleep(200);
}
console.log('esdb://127.0.0.1:2113?tls=false');
process.stdin.resume();

function isReady() {
  return fetch('http://127.0.0.1:2113/health/live').then(
    ({ ok }) => ok,
    () => false,
  );
}
