import {
  EMAIL_MAX_LENGTH,
  GAMER_TAG_PATTERN,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
} from '../../../../contracts/limits.js';
import { refusalText } from '../../../../contracts/messages.js';

export interface Registration {
  gamerTag: string;
  email: string;
  password: string;
  confirmation: string;
}

export type RegistrationProblems = Partial<Record<keyof Registration, string>>;

/** What is wrong with a registration, by field; empty when it may be sent. The server has the last word. */
export function registrationProblems(r: Registration): RegistrationProblems {
  const problems: RegistrationProblems = {};
  for (const field of ['gamerTag', 'email', 'password', 'confirmation'] as const) {
    if (r[field].trim() === '') problems[field] = refusalText({ code: 'all-fields-required' });
  }
  if (!problems.gamerTag && !GAMER_TAG_PATTERN.test(r.gamerTag))
    problems.gamerTag = refusalText({ code: 'invalid-gamer-tag' });
  if (!problems.email && !looksLikeEmail(r.email)) problems.email = refusalText({ code: 'invalid-email' });
  if (!problems.password) {
    if (r.password.length < PASSWORD_MIN_LENGTH) problems.password = refusalText({ code: 'password-too-short' });
    if (r.password.length > PASSWORD_MAX_LENGTH) problems.password = refusalText({ code: 'password-too-long' });
  }
  if (!problems.confirmation && r.password !== r.confirmation) {
    problems.confirmation = refusalText({ code: 'passwords-do-not-match' });
  }
  return problems;
}

const looksLikeEmail = (email: string): boolean => email.length <= EMAIL_MAX_LENGTH && /^[^\s@]+@[^\s@]+$/.test(email);

/** Which field a refusal of the server stands beside, or null for the whole form. */
export function fieldOfRefusal(reason: string): keyof Registration | null {
  if (reason === refusalText({ code: 'gamer-tag-taken' }) || reason === refusalText({ code: 'gamer-tag-reserved' }))
    return 'gamerTag';
  if (reason === refusalText({ code: 'invalid-gamer-tag' })) return 'gamerTag';
  if (reason === refusalText({ code: 'email-taken' }) || reason === refusalText({ code: 'invalid-email' }))
    return 'email';
  if (/^(This p|P)assword /.test(reason)) return 'password';
  return null;
}
