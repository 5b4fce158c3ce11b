import type { Delivery, Payment } from './records.js';

/** The gateway's words as a person reads them. */
const STATUS_NAMES: Record<string, string> = {
  waiting: 'Waiting for the payment',
  confirming: 'Seen on the network',
  confirmed: 'Confirmed',
  sending: 'Being passed on',
  finished: 'Paid',
  partially_paid: 'Paid in part',
  failed: 'Failed',
  refunded: 'Refunded',
  expired: 'Expired',
  cancelled: 'Cancelled',
};

export const statusName = (status: string): string => STATUS_NAMES[status] ?? `“${status}”`;

export function originName({ origin }: Payment): string {
  switch (origin) {
    case null:
      return 'First transfer';
    case 'REPEATED':
      return 'Repeated transfer';
    case 'WRONG_ASSET':
      return 'Wrong coin';
  }
}

export const dollars = (amount: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(Number(amount));

/** `6 days 23 hours`, `19 minutes`; the two largest units. */
export function timeLeft(untilEpochMs: number, nowEpochMs: number): string {
  const minutes = Math.max(0, Math.floor((untilEpochMs - nowEpochMs) / 60_000));
  const parts: [number, string][] = [
    [Math.floor(minutes / 1440), 'day'],
    [Math.floor(minutes / 60) % 24, 'hour'],
    [minutes % 60, 'minute'],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  if (first === -1) return 'less than a minute';
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`)
    .join(' ');
}

export function deliveryName(delivery: Delivery): string {
  const last = delivery.attempts.at(-1)?.outcome;
  switch (delivery.state) {
    case 'lost':
      return 'Lost on purpose';
    case 'delivered':
      return `Delivered (${last})`;
    case 'given-up':
      return `Given up after ${delivery.attempts.length} tries (${last})`;
    case 'due':
      return last === undefined ? 'On its way' : `Not taken (${last}); will be tried again`;
  }
}
