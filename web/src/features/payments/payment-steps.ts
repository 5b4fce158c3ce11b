import type { PaymentStatusResponse } from '../../../../contracts/http/payments.js';

type Purpose = PaymentStatusResponse['purpose'];
type Status = PaymentStatusResponse['status'];

export interface PaymentStep {
  text: string;
  state: 'done' | 'now' | 'later';
}

/** The way of a payment, as the person who waits for it sees it. */
export function paymentSteps(purpose: Purpose, status: Status): PaymentStep[] {
  const reached = { waiting: 0, expired: 0, confirming: 1, review: 1, settled: 3 }[status];
  const texts = [
    'Waiting for your payment',
    'Seen on the network',
    purpose === 'deposit' ? 'Credited to your purchase balance' : 'Your tokens are bought',
  ];
  return texts.map((text, place) => ({
    text,
    state: place < reached ? 'done' : place === reached ? 'now' : 'later',
  }));
}

/** Nothing more will happen by itself. */
export const isOver = (status: Status): boolean => status === 'settled' || status === 'expired';

/** Amounts of coins may have eight places and are never rounded: '0.07740000 LTC' reads '0.0774 LTC'. */
export const coinText = (amount: string, coin: string): string =>
  `${amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount} ${coin}`;

const headings: Record<Status, string | null> = {
  waiting: null,
  confirming: 'Payment on its way',
  settled: 'Payment received',
  review: 'Payment under review',
  expired: 'Payment expired',
};

/** What has become of a payment, in two or three words; null while nothing has. */
export const paymentHeading = (status: Status): string | null => headings[status];
