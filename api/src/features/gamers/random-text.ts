import { randomInt } from 'node:crypto';

const LOWER_CASE_AND_DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';
/** Lacks the similar 0 and O, 1, I and L, because codes are read aloud and typed. */
const UNAMBIGUOUS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';

const randomText = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** About 62 bits. */
export const randomGamerId = (): string => randomText(LOWER_CASE_AND_DIGITS, 12);

/** About 39 bits: collisions and guesses are unlikely. */
export const randomRefCode = (): string => randomText(UNAMBIGUOUS, 8);

/** About 118 bits, in groups of four: from 112 bits on a fast digest protects it (ASVS 5.0, 6.5.2). */
export const randomRecoveryCode = (): string => randomText(UNAMBIGUOUS, 24).replace(/(.{4})(?=.)/g, '$1-');

/** About 99 bits, easy to copy by hand. */
export const randomPassword = (): string => randomText(UNAMBIGUOUS, 20);
