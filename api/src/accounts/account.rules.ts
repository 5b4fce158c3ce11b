import { isEmail } from 'class-validator';
import type { RegisterRequest } from '../../../contracts/http/accounts.js';
import {
  EMAIL_MAX_LENGTH,
  GAMER_TAG_PATTERN,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
} from '../../../contracts/limits.js';
import type { RefusalCode } from '../../../contracts/messages.js';
import { COMMON_PASSWORDS } from './common-passwords.js';

/*
 * What a GamerTag, an email and a password may be (decision 32).
 *
 * Tags that a gamer could take for the house's own voice are kept back, also when written with digits for letters.
 * The admin's own tag is kept back by being taken.
 */

type Broken = Extract<
  RefusalCode,
  | 'invalid-gamer-tag'
  | 'gamer-tag-reserved'
  | 'invalid-email'
  | 'password-too-short'
  | 'password-too-long'
  | 'password-too-common'
>;

/** The first rule that a registration breaks, in the order of the form's fields; null when it keeps all. */
export function brokenByRegistration({ username, email, password }: RegisterRequest): Broken | null {
  return brokenByTag(username) ?? brokenByEmail(email) ?? brokenByPassword(password);
}

export function brokenByTag(gamerTag: string): Broken | null {
  if (!GAMER_TAG_PATTERN.test(gamerTag)) return 'invalid-gamer-tag';
  return isReservedTag(gamerTag) ? 'gamer-tag-reserved' : null;
}

export const brokenByEmail = (email: string): Broken | null =>
  email.length > EMAIL_MAX_LENGTH || !isEmail(email) ? 'invalid-email' : null;

export function brokenByPassword(password: string): Broken | null {
  if (password.length < PASSWORD_MIN_LENGTH) return 'password-too-short';
  if (password.length > PASSWORD_MAX_LENGTH) return 'password-too-long';
  return COMMON_PASSWORDS.has(password.toLowerCase()) ? 'password-too-common' : null;
}

const DIGITS_LIKE_LETTERS: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' };
const RESERVED = new Set(['moderator', 'support', 'helpdesk', 'system', 'auditor', 'house', 'root', 'staff', 'owner']);
const RESERVED_BEGINNINGS = /^(admin|omnijackpot|deletedgamer)|admin$/;

/** `admin` in any guise, the house's other voices, and the name that deleted gamers get (decision 38). */
export function isReservedTag(gamerTag: string): boolean {
  const bare = gamerTag.toLowerCase().replace(/[-_]/g, '');
  const read = bare.replace(/[013457]/g, (digit) => DIGITS_LIKE_LETTERS[digit] as string);
  const withoutNumber = bare.replace(/\d+$/, '');
  return [bare, read, withoutNumber].some((tag) => RESERVED.has(tag) || RESERVED_BEGINNINGS.test(tag));
}
