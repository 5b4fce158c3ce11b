import type { RecordedLedgerEvent } from '../../contracts/events/recorded.js';

/**
 * The most that an event's ledger time may differ from the store's clock. Nodes decide within 250 ms of Postgres' clock
 * (decision 42), and wait five seconds for an append; the rest is for the clock of the store's machine.
 */
const MAX_DIFFERENCE_MS = 60_000;

/** Compares an event's ledger time, which a node stated, with the time at which the store recorded the event. */
export function recordingFaults({ createdAtMs, metadata }: RecordedLedgerEvent): string[] {
  if (createdAtMs === undefined) return [];
  const aheadMs = metadata.at - createdAtMs;
  if (Math.abs(aheadMs) <= MAX_DIFFERENCE_MS) return [];
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  if (aheadMs > 0) return [`has a ledger time ${seconds} s after the store recorded it`];
  return [`was recorded by the store ${seconds} s after its ledger time`];
}
