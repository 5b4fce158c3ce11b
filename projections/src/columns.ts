import type { ValueTransformer } from 'typeorm';

/** Postgres sends bigint as text. Cents and epoch milliseconds are safe integers, and a value that is not is a fault. */
export const safeInteger: ValueTransformer = {
  to: (value: number | null) => value,
  from: (value: string | null) => (value === null ? null : toSafeInteger(value)),
};

export function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${text} is not a safe integer`);
  return value;
}
