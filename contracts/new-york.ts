/** The product's days are New York's (specification §9, formats): the same for the tables, the queries and the pages. */
const newYorkDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' });

/** A calendar day in New York, as 2025-10-14. */
export type NewYorkDay = string;

export const dayInNewYork = (epochMs: number): NewYorkDay => newYorkDay.format(epochMs);

/** `count` days, `today` last. Counted at noon UTC, where no change of the clocks reaches them. */
export function daysUntil(today: NewYorkDay, count: number): NewYorkDay[] {
  const noon = Date.parse(`${today}T12:00:00Z`);
  return Array.from({ length: count }, (_, i) =>
    new Date(noon - (count - 1 - i) * 86_400_000).toISOString().slice(0, 10),
  );
}
