import type { LedgerEvents } from './events/ledger-events.js';
import type { SecondPersonLimits } from './limits.js';
import { formatCents } from './money.js';

/** The limits that an event sets. Version 1 does not name the limit of a day, which it left as it was. */
type LimitsSet = LedgerEvents['SecondPersonLimitSet'];

/** "One adjustment or payout above $500.00 needs a second person. So does anything beyond $2,000.00 that one person moves alone in a day." */
export function secondPersonText({ aboveCents, aboveCentsPerDay = null }: LimitsSet): string {
  const inADay =
    aboveCentsPerDay === null ? null : `beyond ${formatCents(aboveCentsPerDay)} that one person moves alone in a day`;
  if (aboveCents === null)
    return `${inADay === null ? 'No adjustment or payout' : `Anything ${inADay}`} needs a second person.`;
  const ofOneAct = `One adjustment or payout above ${formatCents(aboveCents)} needs a second person.`;
  return inADay === null ? ofOneAct : `${ofOneAct} So does anything ${inADay}.`;
}

/** "Anything beyond … needs a second person. Before: $500.00 for one act, no limit in a day." Names the former values of limits that changed. */
export function secondPersonChangeText(limits: LimitsSet, before: SecondPersonLimits): string {
  const { aboveCents, aboveCentsPerDay = before.aboveCentsPerDay } = limits;
  const former = [
    aboveCents !== before.aboveCents && `${limitText(before.aboveCents)} for one act`,
    aboveCentsPerDay !== before.aboveCentsPerDay && `${limitText(before.aboveCentsPerDay)} in a day`,
  ].filter(Boolean);
  const text = secondPersonText(limits);
  return former.length === 0 ? text : `${text} Before: ${former.join(', ')}.`;
}

/** "$500.00", or "no limit". */
export const limitText = (cents: number | null): string => (cents === null ? 'no limit' : formatCents(cents));
