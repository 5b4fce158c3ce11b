import { formatCents } from './money.js';

/** The limits above which money needs a second person (decision 50); null for none. */
export interface SecondPersonLimits {
  aboveCents: number | null;
  /** Absent in events of version 1, which left it as it was. */
  aboveCentsPerDay?: number | null;
}

/** "One adjustment or payout above $500.00 needs a second person. So does anything beyond $2,000.00 that one person moves alone in a day." */
export function secondPersonText({ aboveCents, aboveCentsPerDay = null }: SecondPersonLimits): string {
  const inADay =
    aboveCentsPerDay === null ? null : `beyond ${formatCents(aboveCentsPerDay)} that one person moves alone in a day`;
  if (aboveCents === null)
    return `${inADay === null ? 'No adjustment or payout' : `Anything ${inADay}`} needs a second person.`;
  const ofOneAct = `One adjustment or payout above ${formatCents(aboveCents)} needs a second person.`;
  return inADay === null ? ofOneAct : `${ofOneAct} So does anything ${inADay}.`;
}
