import type { LateEvents } from '../../contracts/events/late-events.js';
import type { EventMetadata } from '../../contracts/events/metadata.js';
import type { Recorded } from '../../contracts/events/recorded.js';
import { LATE_RECORDED_MS, MAX_LATE_PURCHASES_PER_GAMER } from '../../contracts/limits.js';
import type { FaultReporter, Finding } from '../replay/finding.js';
import type { EndedRound } from './rounds.js';

type LatePurchase = LateEvents['PurchaseCameLate'];

/** Checks the purchases that were refused as too late: none of them should have counted (decision 60). */
export class LatePurchases {
  private readonly all: { stream: string; late: LatePurchase; metadata: EventMetadata }[] = [];

  get count(): number {
    return this.all.length;
  }

  take({ stream, event, metadata }: Recorded): void {
    if (event.type === 'PurchaseCameLate') this.all.push({ stream, late: event.data, metadata });
  }

  /** @param lossesAtMs when losses of history were accepted: a refusal before one may be of an end that was lost */
  findings(ended: readonly EndedRound[], lastRoundId: number, lossesAtMs: readonly number[]): Finding[] {
    const endOf = new Map(ended.map(({ roundId, endedAtMs }) => [roundId, endedAtMs]));
    const counts = new Map<string, number>();
    const findings: Finding[] = [];
    for (const { stream, late, metadata } of this.all) {
      const { roundId, gamerId, ledgerSize } = late;
      const end = endOf.get(roundId);
      const key = `${roundId} ${gamerId}`;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      const isEndLost = lossesAtMs.some((atMs) => metadata.at <= atMs) && end !== late.endedAtMs;
      if (isEndLost || (end === undefined && roundId >= lastRoundId)) continue;
      const name = `the late purchase ${metadata.commandId} of ${gamerId} in round ${roundId}`;
      const fault: FaultReporter = (message) =>
        findings.push({ revision: ledgerSize - 1, message: `${name} ${message}` });
      if (stream !== `late-${roundId}`) fault(`stands in ${stream}`);
      checkLate(late, metadata, end, fault);
      if (count > MAX_LATE_PURCHASES_PER_GAMER)
        fault(`is number ${count}, and ${MAX_LATE_PURCHASES_PER_GAMER} are recorded at most`);
    }
    return findings;
  }
}

function checkLate(late: LatePurchase, { actor }: EventMetadata, end: number | undefined, fault: FaultReporter): void {
  const { receivedAtEpochMs, endedAtMs, gamerId } = late;
  const lateMs = receivedAtEpochMs - (end ?? endedAtMs);
  if (actor.id !== gamerId || actor.role !== 'gamer') fault(`was sent by ${actor.role} ${actor.id}`);
  if (end === undefined) fault('missed the end of a round that has none');
  else if (endedAtMs !== end) fault(`says that the round ended at ${endedAtMs}, not at ${end}`);
  if (lateMs < 0) fault(`came ${-lateMs} ms before zero: it should have counted`);
  if (lateMs > LATE_RECORDED_MS) fault(`came ${lateMs} ms after zero, later than such purchases are recorded`);
}
