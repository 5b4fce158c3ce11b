import { readFileSync } from 'node:fs';
import { isEmail } from 'class-validator';
import { canonicalEmail } from '../../../../contracts/email.js';
import type { RegisterRequest } from '../../../../contracts/http/gamers.js';
import type { Role } from '../../../../contracts/ids.js';
import { EMAIL_MAX_LENGTH } from '../../../../contracts/limits.js';
import type { PlainRefusalCode } from '../../../../contracts/refusals.js';
import { gamerTagRefusal, passwordRefusal } from '../../../../contracts/validation.js';

// The rules of a GamerTag, an email and a password (decision 32). Tags that look official are reserved.

export function registrationRefusal({ username, email, password }: RegisterRequest): PlainRefusalCode | null {
  return newTagRefusal(username) ?? emailRefusal(email) ?? newPasswordRefusal(password);
}

export function newTagRefusal(gamerTag: string): PlainRefusalCode | null {
  return gamerTagRefusal(gamerTag) ?? (isReservedTag(gamerTag) ? 'gamer-tag-reserved' : null);
}

/** Quoted local parts are refused: few mail servers take them, and they may hold line breaks. */
export function emailRefusal(email: string): PlainRefusalCode | null {
  const isUsable = email.length <= EMAIL_MAX_LENGTH && isEmail(email) && !email.includes('"');
  const hasDomain = !canonicalEmail(email).endsWith('@');
  return isUsable && hasDomain ? null : 'invalid-email';
}

/** @param role of the account that gets the password */
export function newPasswordRefusal(password: string, role: Role = 'gamer'): PlainRefusalCode | null {
  return (
    passwordRefusal(password, role) ?? (COMMON_PASSWORDS.has(password.toLowerCase()) ? 'password-too-common' : null)
  );
}

/** Common passwords in lower case (decision 32): newer ones, this game's, and the Openwall list (public domain). */
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8').match(/\S+/g),
);

const DIGITS_LIKE_LETTERS: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' };
const RESERVED = new Set(['moderator', 'support', 'helpdesk', 'system', 'auditor', 'house', 'root', 'staff', 'owner']);
const RESERVED_PATTERN = /^(admin|omnijackpot|deletedgamer)|admin$/;

/** Whether a tag resembles `admin`, an official name, or the name of deleted gamers (decision 38). */
export function isReservedTag(gamerTag: string): boolean {
  const plain = gamerTag.toLowerCase().replace(/[-_]/g, '');
  const withLetters = plain.replace(/[013457]/g, (digit) => DIGITS_LIKE_LETTERS[digit] as string);
  const withoutNumber = plain.replace(/\d+$/, '');
  return [plain, withLetters, withoutNumber].some((tag) => RESERVED.has(tag) || RESERVED_PATTERN.test(tag));
}
