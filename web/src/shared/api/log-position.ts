/** The later of two log positions (decimal strings of up to 64 bits); anything that is no position loses. */
export function laterPosition(known: string | null, other: string | null | undefined): string | null {
  if (typeof other !== 'string' || !/^\d{1,20}$/.test(other)) return known;
  return known === null || BigInt(other) > BigInt(known) ? other : known;
}

let latest: string | null = null;

/** Commands' answers and live messages both carry positions: no later query may show a past before them. */
export function rememberPosition(position: string | null | undefined): void {
  latest = laterPosition(latest, position);
}

export const latestPosition = (): string | null => latest;
