import assert from 'node:assert/strict';
import type { RecordedLedgerEvent } from '../../../../contracts/events/recorded.js';
import type { Attempt } from '../clients.js';
import type { Simulation } from '../simulation.js';
import { effectsOf } from './exactly-once.js';

/** A slower lookup may miss the 300 ms in which a round is decided: the rest of them is the clocks' skew. */
const SLOW_LOOKUP_MS = 50;
/** Exceeds the gap between two beats, an interval of beats and the delay of one. */
const CERTAIN_OUTAGE_MS = 5_500;

/** A purchase counts by its arrival: one in time is never refused for the time, and one after zero never counts. */
export function checkLastSecond(simulation: Simulation): void {
  const { world, clients } = simulation;
  const { ledger } = world.memory;
  const effects = effectsOf(ledger);
  for (const { command, commandId, attempts } of clients.sent) {
    if (command.type !== 'BuyTokens') continue;
    const arrivals = attempts.map(({ receivedAtMs }) => receivedAtMs);
    // A clock that was corrected meanwhile may say that the request has not arrived yet.
    for (const { event } of effects.get(commandId) ?? [])
      if (event.type === 'TokenPurchased' && !world.counts.clockWrong)
        assert.ok(arrivals.includes(event.data.receivedAtEpochMs), `${commandId} has another arrival in the log`);
    for (const attempt of attempts) checkRefusal(commandId, attempt, simulation);
  }
  checkZero(ledger);
  checkOutages(simulation);
}

function checkRefusal(commandId: string, attempt: Attempt, { world }: Simulation): void {
  const { ended, receivedAtMs, endedAtMs, sentAtMs, workMs } = attempt;
  if (ended === null || !('code' in ended) || ended.code !== 'game-downtime') return;
  const round = world.memory.ledger.findLast(
    ({ event, metadata }) => event.type === 'RoundEnded' && metadata.at <= (endedAtMs as number) + 200,
  );
  if (round?.event.type !== 'RoundEnded' || workMs > SLOW_LOOKUP_MS) return;
  if (world.wasDisturbed(sentAtMs, endedAtMs as number)) return;
  const earlyMs = round.event.data.endedAtMs - (receivedAtMs as number);
  assert.ok(earlyMs <= 0, `${commandId} arrived ${earlyMs} ms before zero and was refused as late`);
}

/** Each purchase arrived before the countdown's end as it stood then, and each round ended at its end. */
function checkZero(events: readonly RecordedLedgerEvent[]): void {
  let endsAtMs = 0;
  for (const { event, revision } of events) {
    if (event.type === 'TokenPurchased')
      assert.ok(event.data.receivedAtEpochMs < endsAtMs, `ledger@${revision} arrived at or after zero`);
    if (event.type === 'RoundEnded') assert.equal(event.data.endedAtMs, endsAtMs, `ledger@${revision}`);
    if (event.type === 'LiveStarted' || event.type === 'TimeExtended' || event.type === 'LiveResumed')
      endsAtMs = event.data.endsAtEpochMs;
  }
}

/** An outage over zero resumes the countdown; without any fault it never resumes. */
function checkOutages({ world }: Simulation): void {
  const { ledger } = world.memory;
  for (const { event, metadata, revision } of ledger) {
    if (event.type === 'LiveResumed') {
      const { lastAliveAtMs } = event.data;
      assert.ok(world.wasDisturbed(lastAliveAtMs, metadata.at), `ledger@${revision} resumes after no outage`);
    }
    if (event.type !== 'RoundEnded') continue;
    const zeroMs = event.data.endedAtMs;
    const outage = world.outages.find(
      ({ fromMs, toMs }) => toMs - fromMs > CERTAIN_OUTAGE_MS && fromMs + 1_500 < zeroMs && zeroMs + 1_500 < toMs,
    );
    const wasAlive =
      outage && ledger.some(({ metadata: { at: atMs } }) => atMs > outage.fromMs + 1_000 && atMs < outage.toMs - 1_000);
    assert.ok(!outage || wasAlive, `ledger@${revision} ends a round whose zero was in an outage`);
  }
}
