import { type FormEvent, useState } from 'react';
import { Field } from '../../shared/ui/field.js';
import { Notice } from '../../shared/ui/notice.js';
import { toast } from '../../shared/ui/toasts.js';
import { useResetPassword } from './password-reset.queries.js';
import { type NewPassword, newPasswordProblems } from './password-rules.js';
import { useFormFailure } from './use-form-failure.js';

const FAILED = 'Password reset failed';

/** The two passwords, and the button. `onDone` once the new one is in force. */
export function ResetPasswordForm({ token, onDone }: { token: string; onDone: () => void }) {
  const reset = useResetPassword();
  const { failure, fail, clear } = useFormFailure(FAILED);
  const [typed, setTyped] = useState<NewPassword>({ password: '', confirmation: '' });
  const [problems, setProblems] = useState<Partial<NewPassword>>({});

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    clear();
    const found = newPasswordProblems(typed);
    setProblems(found);
    const problem = found.password ?? found.confirmation;
    if (problem !== undefined) return toast({ title: 'Invalid Form', text: problem, tone: 'bad' });
    try {
      const { password: newPassword, confirmation: confirmPassword } = typed;
      await reset.mutateAsync({ token, newPassword, confirmPassword });
      toast({
        title: 'Success!',
        text: 'Your password has been updated successfully. Please log in with your new password.',
      });
      onDone();
    } catch (error) {
      fail(error);
    }
  };

  const bind = (field: keyof NewPassword) => ({
    type: 'password',
    autoComplete: 'new-password',
    value: typed[field],
    error: problems[field],
    onChange: (event: { target: { value: string } }) => {
      setTyped({ ...typed, [field]: event.target.value });
      setProblems({});
    },
  });

  return (
    <form className="grid gap-4 w-full" aria-label="Reset Password" noValidate onSubmit={(event) => void submit(event)}>
      <fieldset className="grid gap-4 min-w-0" disabled={reset.isPending}>
        <Field label="New password" hint="At least 6 characters." {...bind('password')} />
        <Field label="Confirm password" {...bind('confirmation')} />
        <button type="submit" className="btn btn--act btn--wide">
          {reset.isPending ? 'UPDATING...' : 'UPDATE PASSWORD'}
        </button>
      </fieldset>
      {failure !== null && (
        <Notice tone="bad" title={FAILED}>
          {failure === FAILED ? 'Please try again.' : failure}
        </Notice>
      )}
    </form>
  );
}
