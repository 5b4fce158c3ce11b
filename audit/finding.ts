/** Something that is not as it must be. */
export interface Finding {
  /** Of the event in the stream `ledger`; null when it is about the tables. */
  revision: number | null;
  says: string;
}

export const cents = (amount: number): string => `${amount < 0 ? '−' : ''}$${(Math.abs(amount) / 100).toFixed(2)}`;
