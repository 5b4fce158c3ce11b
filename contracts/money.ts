import { DEPOSIT_FEE_PERCENT } from './limits.js';

/** An amount of money: a whole number of US cents. */
export type Cents = number;

/** A whole number with en-US grouping: 184,219. By hand, because Intl takes a phone tens of milliseconds to start. */
export const groupDigits = (whole: number): string => `${whole}`.replace(/\B(?=(\d{3})+$)/g, ',');

/** Specification §9, formats: cents / 100 with a dollar sign, en-US grouping and exactly 2 decimals. */
export function formatCents(cents: Cents): string {
  const amount = Math.abs(cents);
  return `${cents < 0 ? '-' : ''}$${groupDigits(Math.floor(amount / 100))}.${`${amount % 100}`.padStart(2, '0')}`;
}

/** A signed change: +$5.00 or −$5.00, with the typographic minus. */
export const formatSignedCents = (cents: Cents): string =>
  cents < 0 ? `−${formatCents(-cents)}` : `+${formatCents(cents)}`;

/** Price of a deposit: the amount and the fee on top. Exact for whole dollars. */
export const depositTotalCents = (amountCents: Cents): Cents => (amountCents * (100 + DEPOSIT_FEE_PERCENT)) / 100;

/** Splits a deposit's total into the amount that is credited, floor(total / 1.05), and the fee (decision 28). */
export function splitDeposit(totalCents: Cents): { amountCents: Cents; feeCents: Cents } {
  const amountCents = Math.floor((totalCents * 100) / (100 + DEPOSIT_FEE_PERCENT));
  return { amountCents, feeCents: totalCents - amountCents };
}
