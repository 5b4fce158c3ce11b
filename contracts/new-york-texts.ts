/* Times as texts, in New York (specification §9, formats). Not in new-york.ts: the client's first load needs only these. */

/** A format of times in New York. Made at its first use, because that takes a phone tens of milliseconds. */
export function inNewYork(options: Intl.DateTimeFormatOptions): (epochMs: number) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (epochMs) => {
    format ??= new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', ...options });
    // Some engines write a narrow space before AM and PM.
    return format.format(epochMs).replace('\u202f', ' ');
  };
}

/** MMM DD, YYYY: "Nov 03, 2026". */
export const dayText = inNewYork({ month: 'short', day: '2-digit', year: 'numeric' });

/** "2:58 AM". */
export const minuteText = inNewYork({ hour: 'numeric', minute: '2-digit' });

/** "Nov 03, 2026, 2:58 AM". */
export const dayAndMinuteText = (epochMs: number): string => `${dayText(epochMs)}, ${minuteText(epochMs)}`;

/** "Nov 03, 2026, 2:58 AM in New York". */
export const newYorkTimeText = (epochMs: number): string => `${dayAndMinuteText(epochMs)} in New York`;
