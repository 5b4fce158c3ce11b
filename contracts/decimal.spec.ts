import fc from 'fast-check';
import { compareDecimals, decimalText, fromUnits, mulDivCeil, mulDivFloor, toUnits } from './decimal.js';

it.each([
  [0.00017, '0.00017'],
  [1e-7, '0.0000001'],
  ['8.3e-05', '0.000083'],
  [13, '13'],
  ['13.0', '13'],
  ['007.50', '7.5'],
  ['1000', '1000'],
  [1.5e21, '1500000000000000000000'],
  ['-0.0', '0'],
  ['-2.50', '-2.5'],
  [' 3 ', '3'],
  ['5.', '5'],
])('writes %p as %p', (value, text) => {
  expect(decimalText(value)).toBe(text);
});

it.each([
  null,
  undefined,
  '',
  'null',
  'NaN',
  Number.NaN,
  Number.POSITIVE_INFINITY,
  '1,5',
  '0x10',
  '.',
  '1e9999',
  {},
  '9'.repeat(80),
])('returns undefined for %p', (value) => {
  expect(decimalText(value)).toBeUndefined();
});

it('keeps a number’s value, whether JavaScript prints it with an exponent or without', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e12, noNaN: true }), (value) => {
      expect(Number(decimalText(value))).toBe(value);
    }),
  );
});

it('goes to units and back', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 8 }), (units, places) => {
      expect(toUnits(fromUnits(units, places), places)).toBe(units);
    }),
  );
});

it('throws instead of rounding', () => {
  expect(() => toUnits('0.123456789', 8)).toThrow('more than 8 decimal places');
});

it('compares where floating point cannot', () => {
  expect(compareDecimals('9007199254740993.00000001', '9007199254740993')).toBe(1);
  expect(compareDecimals('0.1', '0.10')).toBe(0);
  expect(compareDecimals('-1', '0.00000001')).toBe(-1);
});

it('multiplies and divides exactly, rounding only at the end, up or down', () => {
  expect(mulDivFloor('31.5', '70', '100', 2)).toBe(2205n);
  expect(mulDivFloor('10', '1', '3', 2)).toBe(333n);
  expect(mulDivCeil('10', '1', '3', 2)).toBe(334n);
  expect(mulDivCeil('9', '1', '3', 2)).toBe(300n);
  expect(() => mulDivFloor('1', '1', '0', 2)).toThrow();
});
