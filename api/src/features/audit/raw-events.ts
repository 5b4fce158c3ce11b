import { Injectable } from '@nestjs/common';
import { from, lastValueFrom, mergeMap, toArray } from 'rxjs';
import type { RecordedLedgerEvent } from '../../../../contracts/events/recorded.js';
import { LEDGER_STREAM } from '../../../../contracts/streams.js';
import { EventLog } from '../../../../event-log/event-log.js';
import { Unavailable } from '../../platform/failures.js';

/** Reading this many unneeded events costs less than another call. */
const MAX_GAP = 20;
const READS_AT_ONCE = 4;

/** Revisions of the stream `ledger`, both ends included. */
export interface RevisionRange {
  from: number;
  to: number;
}

export const WHOLE_LEDGER: RevisionRange = { from: 0, to: Number.MAX_SAFE_INTEGER };

/** The ledger's events as recorded in the log. Throws LogUnavailable or Unavailable. */
@Injectable()
export class RawEvents {
  constructor(private readonly log: EventLog) {}

  async *range(range: RevisionRange): AsyncIterable<RecordedLedgerEvent> {
    const options = { fromRevision: range.from, maxCount: range.to - range.from + 1 };
    if (options.maxCount < 1) return;
    for await (const one of this.log.readStream(LEDGER_STREAM, options)) yield one as RecordedLedgerEvent;
  }

  /** The events at these revisions, in this order. Reads neighbours in one call, and a few ranges in parallel. */
  async atRevisions(revisions: readonly number[]): Promise<RecordedLedgerEvent[]> {
    const ranges = rangesOf([...new Set(revisions)].sort((a, b) => a - b));
    const reading = from(ranges).pipe(mergeMap((range) => this.range(range), READS_AT_ONCE));
    const read = await lastValueFrom(reading.pipe(toArray()));
    const found = new Map(read.map((one) => [one.revision, one]));
    return revisions.map((revision) => {
      const one = found.get(revision);
      if (!one) throw new Unavailable(`the log has no event ${revision}, which the read models have`);
      return one;
    });
  }
}

function rangesOf(ascending: readonly number[]): RevisionRange[] {
  const ranges: RevisionRange[] = [];
  for (const revision of ascending) {
    const last = ranges.at(-1);
    if (last && revision - last.to <= MAX_GAP) last.to = revision;
    else ranges.push({ from: revision, to: revision });
  }
  return ranges;
}
