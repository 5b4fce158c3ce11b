import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../../../contracts/limits.js';
import { refusalText } from '../../../../contracts/messages.js';

export interface NewPassword {
  password: string;
  confirmation: string;
}

/** What is wrong with a new password, by field; empty when it may be sent (specification §5). */
export function newPasswordProblems({ password, confirmation }: NewPassword): Partial<NewPassword> {
  if (password.length < PASSWORD_MIN_LENGTH) return { password: refusalText({ code: 'password-too-short' }) };
  if (password.length > PASSWORD_MAX_LENGTH) return { password: refusalText({ code: 'password-too-long' }) };
  if (password !== confirmation) return { confirmation: refusalText({ code: 'passwords-do-not-match' }) };
  return {};
}
