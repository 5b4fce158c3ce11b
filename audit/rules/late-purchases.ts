import type { LateEvents } from '../../contracts/events/late-events.js';
import type { EventMetadata } from '../../contracts/events/metadata.js';
import type { Recorded } from '../../contracts/events/recorded.js';
import { type Finding, faultsOf } from '../replay/finding.js';
import type { EndedRound } from './rounds.js';

/** As decision 60 says. */
const RECORDED_MS = 10_000;
const MAX_PER_GAMER = 3;

type Late = LateEvents['PurchaseCameLate'];

/** Checks the purchases that were refused as too late: none of them should have counted (decision 60). */
export class LatePurchases {
  private readonly all: { stream: string; late: Late; metadata: EventMetadata }[] = [];

  get count(): number {
    return this.all.length;
  }

  take({ stream, event, metadata }: Recorded): void {
    if (event.type === 'PurchaseCameLate') this.all.push({ stream, late: event.data, metadata });
  }

  /**
   * @param lastRoundId of the replayed ledger: a newer round is not compared, nor is the last one while it is open
   * @param lossesAtMs when losses of history were accepted: a refusal before one may be of an end that was lost
   */
  findings(ended: readonly EndedRound[], lastRoundId: number, lossesAtMs: readonly number[]): Finding[] {
    const endOf = new Map(ended.map(({ roundId, endedAtEpochMs }) => [roundId, endedAtEpochMs]));
    const counts = new Map<string, number>();
    return this.all.flatMap(({ stream, late, metadata }) => {
      const { roundId, gamerId } = late;
      const end = endOf.get(roundId);
      const key = `${roundId} ${gamerId}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      const isEndLost = lossesAtMs.some((atMs) => metadata.at <= atMs) && end !== late.endedAtEpochMs;
      if (isEndLost || (end === undefined && roundId >= lastRoundId)) return [];
      const name = `the late purchase ${metadata.commandId} of ${gamerId} in round ${roundId}`;
      const faults = [...faultsOfOne(stream, late, metadata, end), ...tooMany(counts.get(key))];
      return faults.map((says) => ({ revision: late.ledgerSize - 1, says: `${name} ${says}` }));
    });
  }
}

function faultsOfOne(stream: string, late: Late, { actor }: EventMetadata, end: number | undefined): string[] {
  const { receivedAtEpochMs, endedAtEpochMs, roundId, gamerId } = late;
  const lateMs = receivedAtEpochMs - (end ?? endedAtEpochMs);
  return faultsOf([
    [stream !== `late-${roundId}`, `stands in ${stream}`],
    [actor.id !== gamerId || actor.role !== 'gamer', `was sent by ${actor.role} ${actor.id}`],
    [end === undefined, 'missed the end of a round that has none'],
    [end !== undefined && endedAtEpochMs !== end, `says that the round ended at ${endedAtEpochMs}, not at ${end}`],
    [lateMs < 0, `came ${-lateMs} ms before zero: it should have counted`],
    [lateMs > RECORDED_MS, `came ${lateMs} ms after zero, later than such purchases are recorded`],
  ]);
}

const tooMany = (count = 0): string[] =>
  count > MAX_PER_GAMER ? [`is number ${count}, and ${MAX_PER_GAMER} are recorded at most`] : [];
