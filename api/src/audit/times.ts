const TIME_ZONE = 'America/New_York';
const date = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium', timeZone: TIME_ZONE });
const time = new Intl.DateTimeFormat('en-US', { timeStyle: 'medium', timeZone: TIME_ZONE });

/** "Oct 14, 2025, 9:14:07 PM", as the product shows moments. */
export const dateAndTime = (epochMs: number): string => date.format(epochMs);

/** "9:14:07 PM". */
export const timeOfDay = (epochMs: number): string => time.format(epochMs);
