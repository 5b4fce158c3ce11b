import type { EventLog } from '../../event-log/event-log.js';
import { Batcher, type EventBatch } from './batcher.js';
import { BEGINNING, isAfter } from './read-schema.js';

/** Larger than the runner's: nobody waits for these rows. */
const REPLAY_LIMITS = { maxEvents: 5_000, lingerMs: 20 };

/** Hands over the events after one position up to and including another, in batches, in order. Throws when aborted. */
export async function replay(
  log: Pick<EventLog, 'follow'>,
  range: { after: string; upTo: string },
  apply: (batch: EventBatch) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  if (!isAfter(range.upTo, range.after)) return;
  const batcher = new Batcher(REPLAY_LIMITS);
  let failure: Error | undefined;
  const following = log.follow({
    after: range.after === BEGINNING ? null : range.after,
    onEvent: async (recorded) => {
      if (!isAfter(recorded.position, range.upTo)) await batcher.add(recorded);
      if (!isAfter(range.upTo, recorded.position)) batcher.end();
    },
    onCheckpoint: (position) => {
      if (!isAfter(range.upTo, position)) batcher.end();
    },
    // Whatever was in the log when `upTo` was taken has been delivered by now.
    onCaughtUp: () => batcher.end(),
    onFailure: (error) => {
      failure = error;
      batcher.end();
    },
  });
  const end = () => batcher.end();
  signal?.addEventListener('abort', end);
  try {
    for (let batch = await batcher.next(); batch; batch = await batcher.next()) {
      signal?.throwIfAborted();
      await apply(batch);
    }
    if (failure) throw failure;
    signal?.throwIfAborted();
  } finally {
    signal?.removeEventListener('abort', end);
    batcher.end();
    await following.stop();
  }
}
