import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EventData, jsonEvent } from '@eventstore/db-client';
import { startScavenge } from '../embedded/event-store/start-scavenge.js';
import { openFastClient } from '../event-log/fast-client.js';
import { heading, ms, say, whole } from './report.js';
import type { Stores } from './stores.js';

const BATCH = 500;
const STREAMS = 20;
/** About the size of a purchase. */
const TEXT = 'x'.repeat(1_000);
const MIB = 2 ** 20;
const COMMIT_EVERY_MS = 5;
/** Longer than the event store's interval between scavenges in the background. */
const IN_BACKGROUND_MS = 15_000;

type Client = ReturnType<typeof openFastClient>;

/** Measures how long commits wait while the embedded event store scavenges a log, a tenth of which was tombstoned. */
export async function benchScavenge(stores: Stores, mebibytes: number): Promise<void> {
  heading(`The embedded event store scavenges ${whole(mebibytes)} MiB`);
  const store = await stores.startEventStore('bench_scavenge');
  const client = openFastClient(store.url);
  for (let batch = 0; batch * BATCH * TEXT.length < mebibytes * MIB; batch += 1)
    await client.appendToStream(`filled-${batch % STREAMS}`, Array.from({ length: BATCH }, event));
  await report('in five seconds without one', client, () => sleep(5_000));
  for (let stream = 0; stream < STREAMS / 10; stream += 1) await client.tombstoneStream(`filled-${stream}`);
  await report('in the background', client, () => sleep(IN_BACKGROUND_MS));
  await report('by the command', client, () => startScavenge(store.url));
  await client.dispose();
  await store.stop();
}

const event = (): EventData => jsonEvent({ type: 'Filled', data: { id: randomUUID(), text: TEXT } });

/** Commits single events one after another for as long as the work takes. */
async function report(name: string, client: Client, work: () => Promise<unknown>): Promise<void> {
  let isOver = false;
  const from = performance.now();
  const working = work().finally(() => {
    isOver = true;
  });
  const waits: number[] = [];
  while (!isOver) {
    const begun = performance.now();
    await client.appendToStream('commits', [event()]);
    waits.push(performance.now() - begun);
    await sleep(COMMIT_EVERY_MS);
  }
  await working;
  const tookMs = performance.now() - from;
  waits.sort((one, other) => one - other);
  const at = (share: number): string => ms(waits[Math.ceil(waits.length * share) - 1] ?? 0);
  say(
    `  ${name}: ${ms(tookMs)}; ${whole(waits.length)} commits: median ${at(0.5)}, 99 % ${at(0.99)}, longest ${at(1)}`,
  );
}
