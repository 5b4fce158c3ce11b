import { EMAIL_MAX_LENGTH } from '../../../../contracts/limits.js';
import { type PlainRefusalCode, type RefusalCode, refusalText } from '../../../../contracts/refusals.js';
import { gamerTagRefusal, passwordRefusal } from '../../../../contracts/validation.js';
import type { Problems } from '../../shared/ui/controls.js';

export type NewPassword = { password: string; confirmation: string };
export type Registration = NewPassword & { gamerTag: string; email: string };

type Codes<Values> = { [Field in keyof Values]?: PlainRefusalCode | null };

/** The texts of the fields' refusals, without the fields that have none. */
function problemsOf<Values>(codes: Codes<Values>): Problems<Values> {
  const entries = Object.entries<PlainRefusalCode | null | undefined>(codes);
  const refused = entries.flatMap(([field, code]) => (code ? [[field, refusalText({ code })]] : []));
  return Object.fromEntries(refused);
}

const ifEmpty = (text: string) => (text === '' ? 'all-fields-required' : null);

/** The problems of a form in which all fields are required. */
export const emptyFields = <Values extends Record<string, string>>(values: Values): Problems<Values> =>
  problemsOf(
    Object.fromEntries(Object.entries(values).map(([field, text]) => [field, ifEmpty(text)])) as Codes<Values>,
  );

/** The problems of a registration; empty when it may be sent. The server checks more, such as taken tags. */
export const registrationProblems = ({ gamerTag, email, password, confirmation }: Registration) =>
  problemsOf<Registration>({
    gamerTag: ifEmpty(gamerTag.trim()) ?? gamerTagRefusal(gamerTag),
    email: ifEmpty(email.trim()) ?? (looksLikeEmail(email) ? null : 'invalid-email'),
    password: ifEmpty(password.trim()) ?? passwordRefusal(password),
    confirmation: ifEmpty(confirmation.trim()) ?? (password === confirmation ? null : 'passwords-do-not-match'),
  });

const looksLikeEmail = (email: string): boolean => email.length <= EMAIL_MAX_LENGTH && /^[^\s@]+@[^\s@]+$/.test(email);

/** The first problem of a new password; empty when it may be sent (specification §5). */
export function newPasswordProblems({ password, confirmation }: NewPassword): Problems<NewPassword> {
  const code = passwordRefusal(password);
  if (code !== null) return problemsOf<NewPassword>({ password: code });
  return password === confirmation ? {} : problemsOf<NewPassword>({ confirmation: 'passwords-do-not-match' });
}

const FIELDS: Partial<Record<RefusalCode, 'gamerTag' | 'email' | 'password'>> = {
  'invalid-gamer-tag': 'gamerTag',
  'gamer-tag-taken': 'gamerTag',
  'gamer-tag-reserved': 'gamerTag',
  'invalid-email': 'email',
  'email-taken': 'email',
  'password-too-short': 'password',
  'password-too-long': 'password',
  'password-too-common': 'password',
};

/** The field of the registration form that a refusal belongs to; null for the whole form. */
export const registrationField = (code: RefusalCode | null) => (code && FIELDS[code]) ?? null;
