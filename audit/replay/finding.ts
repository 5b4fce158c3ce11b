/** A broken rule, or a difference between the log and the tables. */
export interface Finding {
  /** Revision of the event in the stream `ledger`; null for a difference in the tables. */
  revision: number | null;
  says: string;
}

export const DAY_MS = 86_400_000;

export const cents = (amount: number): string => `${amount < 0 ? '−' : ''}$${(Math.abs(amount) / 100).toFixed(2)}`;

export const faultsOf = (checks: [isFault: boolean, text: string][]): string[] =>
  checks.filter(([isFault]) => isFault).map(([, text]) => text);
