/**
 * An amount of a coin as decimal text, such as '0.00017': digits, at most one dot, no exponent, no trailing zeros. It is
 * compared in whole units (BigInt), because floating point loses the last of eight places.
 */
export type DecimalText = string;

const DECIMAL = /^(-?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;
const LONGEST_INPUT = 64;

/** The canonical text of a number or its text, also with an exponent (`8.3e-05`); undefined when it is not a finite decimal. */
export function decimalText(value: unknown): DecimalText | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const text = String(value).trim();
  const parts = text.length <= LONGEST_INPUT ? DECIMAL.exec(text) : null;
  if (parts === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  const padded = point < 0 ? '0'.repeat(-point) + digits : digits.padEnd(point, '0');
  const at = Math.max(point, 0);
  const integer = padded.slice(0, at).replace(/^0+(?=\d)/, '') || '0';
  const decimals = padded.slice(at).replace(/0+$/, '');
  const amount = decimals === '' ? integer : `${integer}.${decimals}`;
  return amount === '0' ? '0' : sign + amount;
}

/** Returns a number below zero when a < b, zero when equal, above zero when a > b. */
export function compareDecimals(a: DecimalText, b: DecimalText): number {
  const places = Math.max(placesOf(a), placesOf(b));
  const [one, other] = [toUnits(a, places), toUnits(b, places)];
  return Number(one > other) - Number(one < other);
}

/** The amount as a whole number of 10^-places. Throws when it has more places, rather than round. */
export function toUnits(amount: DecimalText, places: number): bigint {
  const text = decimalText(amount);
  if (text === undefined) throw new Error(`${JSON.stringify(amount)} is not a decimal`);
  const [whole = '0', fraction = ''] = text.split('.');
  if (fraction.length > places) throw new Error(`${text} has more than ${places} decimal places`);
  return BigInt(whole + fraction.padEnd(places, '0'));
}

export function fromUnits(units: bigint, places: number): DecimalText {
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0');
  const cut = digits.length - places;
  return decimalText(`${sign}${digits.slice(0, cut)}.${digits.slice(cut)}`)!;
}

/** `a × b ÷ c` in whole units of 10^-places, rounded down, exact until that last step. Throws on negative amounts. */
export function mulDivFloor(a: DecimalText, b: DecimalText, c: DecimalText, places: number): bigint {
  return scaledQuotient(a, b, c, places).floor;
}

/** `a × b ÷ c` like `mulDivFloor`, but rounded up. */
export function mulDivCeil(a: DecimalText, b: DecimalText, c: DecimalText, places: number): bigint {
  const { floor, isExact } = scaledQuotient(a, b, c, places);
  return isExact ? floor : floor + 1n;
}

function scaledQuotient(a: DecimalText, b: DecimalText, c: DecimalText, places: number) {
  const [aPlaces, bPlaces, cPlaces] = [placesOf(a), placesOf(b), placesOf(c)];
  const [aUnits, bUnits, cUnits] = [toUnits(a, aPlaces), toUnits(b, bPlaces), toUnits(c, cPlaces)];
  if (aUnits < 0n || bUnits < 0n || cUnits <= 0n)
    throw new Error('amounts must not be negative, and divisors must be above zero');
  const dividend = aUnits * bUnits * 10n ** BigInt(cPlaces + places);
  const divisor = cUnits * 10n ** BigInt(aPlaces + bPlaces);
  return { floor: dividend / divisor, isExact: dividend % divisor === 0n };
}

const placesOf = (amount: DecimalText): number => decimalText(amount)?.split('.')[1]?.length ?? 0;
