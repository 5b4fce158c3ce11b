import type { ApprovedDeposit } from '../../../../../contracts/http/payments.js';

export interface DayTotal {
  /** 2025-10-14, a day in New York. */
  day: string;
  cents: number;
  count: number;
}

const newYorkDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' });

/** The calendar day in New York, as 2025-10-14. */
export const dayOf = (epochMs: number): string => newYorkDay.format(epochMs);

/**
 * What was credited on each of the last `days` days, today last. Of a list that is cut off only the days are told that
 * it surely holds in full: those after the day of its oldest row.
 */
export function depositsByDay(
  deposits: readonly Pick<ApprovedDeposit, 'approvedAt' | 'amountCents'>[],
  { isWhole, days, nowEpochMs }: { isWhole: boolean; days: number; nowEpochMs: number },
): DayTotal[] {
  const totals = lastDays(dayOf(nowEpochMs), days).map((day): DayTotal => ({ day, cents: 0, count: 0 }));
  const byDay = new Map(totals.map((total) => [total.day, total]));
  let oldest = Number.POSITIVE_INFINITY;
  for (const { approvedAt, amountCents } of deposits) {
    oldest = Math.min(oldest, approvedAt);
    const total = byDay.get(dayOf(approvedAt));
    if (total === undefined) continue;
    total.cents += amountCents;
    total.count += 1;
  }
  if (isWhole || !Number.isFinite(oldest)) return totals;
  const cutDay = dayOf(oldest);
  return totals.filter(({ day }) => day > cutDay);
}

/** Calendar days are counted at noon UTC, where no clock change reaches them. */
function lastDays(today: string, days: number): string[] {
  const noon = Date.parse(`${today}T12:00:00Z`);
  return Array.from({ length: days }, (_, i) =>
    new Date(noon - (days - 1 - i) * 86_400_000).toISOString().slice(0, 10),
  );
}
