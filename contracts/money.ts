/** An amount of money as a whole number of US cents. Never a fraction. */
export type Cents = number;

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** Specification §9, formats: cents / 100 with a dollar sign, en-US grouping and exactly 2 decimals. */
export function formatCents(cents: Cents): string {
  return dollars.format(cents / 100);
}

/** A change: +$5.00, or −$5.00 with a minus as long as a plus. */
export const formatSignedCents = (cents: Cents): string =>
  cents < 0 ? `−${formatCents(-cents)}` : `+${formatCents(cents)}`;
