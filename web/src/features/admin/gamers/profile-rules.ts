import {
  EMAIL_MAX_LENGTH,
  GAMER_TAG_PATTERN,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
} from '../../../../../contracts/limits.js';
import { refusalText } from '../../../../../contracts/messages.js';

/** What is wrong with a GamerTag, or null. Whether it is taken or reserved, the server says. */
export const gamerTagProblem = (gamerTag: string): string | null =>
  GAMER_TAG_PATTERN.test(gamerTag) ? null : refusalText({ code: 'invalid-gamer-tag' });

/** One @ between something and a domain with a dot; the server is the one to know better. */
export const emailProblem = (email: string): string | null =>
  email.length <= EMAIL_MAX_LENGTH && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)
    ? null
    : refusalText({ code: 'invalid-email' });

export function passwordProblem(password: string): string | null {
  if (password.length < PASSWORD_MIN_LENGTH) return refusalText({ code: 'password-too-short' });
  return password.length > PASSWORD_MAX_LENGTH ? refusalText({ code: 'password-too-long' }) : null;
}
