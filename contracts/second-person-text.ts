import { formatCents } from './money.js';

/** The limits above which money takes two persons (decision 50); null for none. */
export interface SecondPersonLimits {
  aboveCents: number | null;
  /** Absent in events of version 1, which left it as it was. */
  aboveCentsPerDay?: number | null;
}

/** "Amounts above $500.00 take two persons, and so does more than $2,000.00 that one person moves alone in a day." */
export function secondPersonText({ aboveCents, aboveCentsPerDay = null }: SecondPersonLimits): string {
  const ofOneAct = aboveCents === null ? null : `Amounts above ${formatCents(aboveCents)} take two persons`;
  if (aboveCentsPerDay === null) return `${ofOneAct ?? 'No amount takes two persons'}.`;
  const inADay = `${formatCents(aboveCentsPerDay)} that one person moves alone in a day`;
  return ofOneAct === null ? `More than ${inADay} takes two persons.` : `${ofOneAct}, and so does more than ${inADay}.`;
}
