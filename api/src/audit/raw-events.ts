import { Injectable } from '@nestjs/common';
import type { RecordedLedgerEvent } from '../../../contracts/events/recorded.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import { EventLog } from '../../../event-log/event-log.js';
import { Unavailable } from '../http/refused.js';

/** Reading so many events that nobody asked for costs less than another call. */
const MAX_GAP = 20;
const READS_AT_ONCE = 4;

/** A stretch of the stream `ledger`, both ends included. */
export interface Stretch {
  from: number;
  to: number;
}

/** The ledger's events as they stand in the log: only audit reads them. Throws LogUnavailable. */
@Injectable()
export class RawEvents {
  constructor(private readonly log: EventLog) {}

  /** Those of a stretch, both ends included, one after another. */
  async *stretch({ from, to }: Stretch): AsyncIterable<RecordedLedgerEvent> {
    if (to < from) return;
    for await (const one of this.log.readStream(LEDGER_STREAM, { fromRevision: from, maxCount: to - from + 1 })) {
      yield one as RecordedLedgerEvent;
    }
  }

  /** Those at these revisions, in this order: neighbours in one read, a few reads at a time. */
  async at(revisions: readonly number[]): Promise<RecordedLedgerEvent[]> {
    const wanted = new Set(revisions);
    const found = new Map<number, RecordedLedgerEvent>();
    const left = stretchesOf([...wanted].sort((a, b) => a - b));
    const reader = async (): Promise<void> => {
      for (let stretch = left.shift(); stretch; stretch = left.shift()) {
        for await (const one of this.stretch(stretch)) if (wanted.has(one.revision)) found.set(one.revision, one);
      }
    };
    await Promise.all(Array.from({ length: READS_AT_ONCE }, reader));
    return revisions.map((revision) => {
      const one = found.get(revision);
      if (!one) throw new Unavailable(`the log has no event ${revision}, which the tables have seen`);
      return one;
    });
  }
}

function stretchesOf(ascending: readonly number[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const revision of ascending) {
    const last = stretches.at(-1);
    if (last && revision - last.to <= MAX_GAP) last.to = revision;
    else stretches.push({ from: revision, to: revision });
  }
  return stretches;
}
