/** Checks a value that was read from a golden file. */
export type Check = (value: unknown) => boolean;
/** A check for every field: a field that is added to an event must be added here too. */
export type Shape<D> = { [F in keyof Required<D>]: Check };

export const text: Check = (value) => typeof value === 'string';
export const whole: Check = Number.isSafeInteger;
export const flag: Check = (value) => typeof value === 'boolean';
export const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
export const orAbsent =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
export const oneOf =
  (...values: unknown[]): Check =>
  (value) =>
    values.includes(value);
export const shaped =
  <D>(shape: Shape<D>): Check =>
  (value) => {
    if (typeof value !== 'object' || value === null) return false;
    const fields = value as Record<string, unknown>;
    const known = Object.entries<Check>(shape).every(([name, check]) => check(fields[name]));
    return known && Object.keys(fields).every((name) => name in shape);
  };

export const coin = oneOf('BTC', 'LTC', 'TRX', 'DOGE');
export const purpose = oneOf('deposit', 'tokens');
/** A ReviewReason. */
export const reviewReason = oneOf(
  'underpaid',
  'overpaid',
  'wrong-coin',
  'repeated',
  'late',
  'failed',
  'unknown-order',
  'no-gamer',
  'over-limit',
);
