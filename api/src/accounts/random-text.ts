import { randomInt } from 'node:crypto';

const LOWER_CASE_AND_DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';
/** No 0 and O, no 1, I and L: a code is read aloud and typed. */
const UNMISTAKABLE = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';

const randomText = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** About 62 bits. */
export const randomGamerId = (): string => randomText(LOWER_CASE_AND_DIGITS, 12);

/** About 39 bits: unlikely to be taken, unlikely to be guessed by trying. */
export const randomRefCode = (): string => randomText(UNMISTAKABLE, 8);

/** About 99 bits, easy to copy by hand. */
export const randomPassword = (): string => randomText(UNMISTAKABLE, 20);
