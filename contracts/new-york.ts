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

/** Noon UTC is in the same day in New York, whatever its clocks say. */
const atNoon = (day: NewYorkDay): number => Date.parse(`${day}T12:00:00Z`);

/** Whether it is a day of this century, as 2025-10-14. */
export const isNewYorkDay = (text: string): boolean =>
  /^20\d\d-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(atNoon(text)) &&
  new Date(atNoon(text)).toISOString().startsWith(text);

/** How many days from one to the other, both included; not above zero when they are the wrong way round. */
export const countDays = (from: NewYorkDay, to: NewYorkDay): number => (atNoon(to) - atNoon(from)) / 86_400_000 + 1;

export const dayAfter = (day: NewYorkDay): NewYorkDay => new Date(atNoon(day) + 86_400_000).toISOString().slice(0, 10);

/** When the day begins: midnight in New York is 04:00 or 05:00 UTC. The clocks change at two, so there is one. */
export function startOfNewYorkDay(day: NewYorkDay): number {
  const early = Date.parse(`${day}T04:00:00Z`);
  return dayInNewYork(early) === day ? early : early + 3_600_000;
}
