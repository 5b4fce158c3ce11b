import { DAY_MS } from './durations.js';

/** A date and time of day without a zone, as a datetime-local field writes it: 2026-11-26T20:00. */
export type LocalTime = string;

export const isLocalTime = (text: string): boolean => {
  const epochMs = /^20\d\d-\d\d-\d\dT\d\d:\d\d$/.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  return !Number.isNaN(epochMs) && new Date(epochMs).toISOString().startsWith(text);
};

/** True for a name of the IANA time zone database that this computer knows. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && localTimeAt(0, name) !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The local time in the zone at this instant. */
export const localTimeAt = (epochMs: number, timeZone: string): LocalTime =>
  // Swedes write a date as ISO 8601 does.
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
    .format(epochMs)
    .replace(' ', 'T');

/** How far the zone's clocks are ahead of UTC. */
const aheadMs = (epochMs: number, timeZone: string): number =>
  Date.parse(`${localTimeAt(epochMs, timeZone)}Z`) - epochMs;

/** Returns when the zone's clocks show this time, epoch ms, earlier first: not when summer time skips it, twice when it repeats it. */
export function instantsOf(localTime: LocalTime, timeZone: string): number[] {
  const asUtc = Date.parse(`${localTime}Z`);
  const candidates = [asUtc - DAY_MS, asUtc + DAY_MS].map((around) => asUtc - aheadMs(around, timeZone));
  return [...new Set(candidates)]
    .filter((epochMs) => localTimeAt(epochMs, timeZone) === localTime)
    .sort((one, other) => one - other);
}

/** The first day after `epochMs` on which the clocks show this time of day. Where they skip it, it is as much later as they skip. */
export function nextDayAt(localTime: LocalTime, timeZone: string, epochMs: number) {
  const today = Date.parse(`${localTimeAt(epochMs, timeZone).slice(0, 10)}T${localTime.slice(11)}Z`);
  for (let asUtc = today; ; asUtc += DAY_MS) {
    const next = new Date(asUtc).toISOString().slice(0, 16);
    const startsAtMs = instantsOf(next, timeZone)[0] ?? asUtc - aheadMs(asUtc - DAY_MS, timeZone);
    if (startsAtMs > epochMs) return { localTime: next, startsAtMs };
  }
}
