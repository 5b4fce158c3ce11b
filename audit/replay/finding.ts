import { isDeepStrictEqual } from 'node:util';
import type { LedgerEvents } from '../../contracts/events/ledger-events.js';

/** A broken rule, or a difference between the log and the tables. */
export interface Finding {
  /** Revision of the event in the stream `ledger`; null for a difference in the tables. */
  revision: number | null;
  message: string;
}

export type FaultReporter = (message: string) => void;

/** The keys under which a table has another value than the log, none, or one too many. */
export const differentKeys = <Key, Value>(inLog: ReadonlyMap<Key, Value>, inTable: ReadonlyMap<Key, Value>): Key[] =>
  [...new Set([...inLog.keys(), ...inTable.keys()])].filter(
    (key) => !isDeepStrictEqual(inLog.get(key), inTable.get(key)),
  );

const newYork = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' });

export const newYorkDay = (atMs: number): string => newYork.format(atMs);

export const formatCents = (amount: number): string =>
  `${amount < 0 ? '−' : ''}$${(Math.abs(amount) / 100).toFixed(2)}`;

/** A loss of history that an operator accepted. @param number of the event that says so */
export function describeLoss(number: number, atMs: number, lost: LedgerEvents['HistoryLost']): string {
  const at = new Date(atMs).toISOString();
  const keptAt = new Date(lost.lastKeptAtMs).toISOString();
  const acceptedBy = JSON.stringify(lost.acceptedBy);
  const reason = JSON.stringify(lost.reason);
  const log = `${lost.signedOrigin}, which was signed up to event ${lost.signedSize}`;
  return `event ${number} of ${at} says that what came after ${keptAt} in ${log}, is lost; accepted by ${acceptedBy}: ${reason}`;
}
