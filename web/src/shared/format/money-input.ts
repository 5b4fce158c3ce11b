/** Dollars as a person types them (12, 12.5, $1,200.05, -3) as whole cents; null when it is no such amount. Digits only: no floating point. */
export function centsFromInput(text: string): number | null {
  const match = /^([+-]?)\$?(\d{1,3}(?:,\d{3})+|\d+)?(?:\.(\d{0,2}))?$/.exec(text.trim().replace('−', '-'));
  if (!match || (match[2] === undefined && !match[3])) return null;
  const dollars = Number((match[2] ?? '0').replaceAll(',', ''));
  const cents = dollars * 100 + Number((match[3] ?? '').padEnd(2, '0'));
  if (!Number.isSafeInteger(cents)) return null;
  return match[1] === '-' && cents !== 0 ? -cents : cents;
}

/** 12345 → 123.45, for a field. */
export function inputFromCents(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

/** Whole numbers of at least 1, as digits alone; null for anything else. */
export function wholeFromInput(text: string): number | null {
  const trimmed = text.trim();
  if (!/^\d{1,15}$/.test(trimmed)) return null;
  const value = Number(trimmed);
  return value >= 1 ? value : null;
}
