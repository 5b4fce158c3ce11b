const newYork = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' });

/** The day in New York, as 2025-10-14. */
export const dayOf = (at: number): string => newYork.format(at);
