import type { TimerSettings } from './limits.js';

/** An entity tag of a record's values, for `If-Match` (FNV-1a). */
export function versionOf(...values: unknown[]): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(JSON.stringify(values))) hash = Math.imul(hash ^ byte, 0x01000193);
  return `"${(hash >>> 0).toString(36)}"`;
}

export const timersVersion = (timers: TimerSettings): string => versionOf(Object.entries(timers).toSorted());
