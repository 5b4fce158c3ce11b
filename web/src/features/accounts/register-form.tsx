import { type FormEvent, useState } from 'react';
import { reasonOf } from '../../shared/api/api-error.js';
import { Field } from '../../shared/ui/field.js';
import { Notice } from '../../shared/ui/notice.js';
import { returnToStage } from '../../shared/ui/return-to-stage.js';
import { toast } from '../../shared/ui/toasts.js';
import { useReferral, useRegister } from './accounts.queries.js';
import { referralCode } from './referral.js';
import {
  fieldOfRefusal,
  type Registration,
  type RegistrationProblems,
  registrationProblems,
} from './register-rules.js';
import { useFormFailure } from './use-form-failure.js';

const blank: Registration = { gamerTag: '', email: '', password: '', confirmation: '' };

export function RegisterForm() {
  const register = useRegister();
  const { failure, fail, clear } = useFormFailure('Registration failed');
  const [registration, setRegistration] = useState(blank);
  const [problems, setProblems] = useState<RegistrationProblems>({});
  const code = referralCode(window.location.search);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    clear();
    const found = registrationProblems(registration);
    setProblems(found);
    const problem = found.gamerTag ?? found.email ?? found.password ?? found.confirmation;
    if (problem !== undefined) return toast({ title: 'Invalid Form', text: problem, tone: 'bad' });
    const { gamerTag, email, password } = registration;
    try {
      await register.mutateAsync({ username: gamerTag, email, password, referralCode: code });
      toast({ title: 'Success!', text: 'Account created successfully' });
      returnToStage();
    } catch (error) {
      fail(error);
      const field = fieldOfRefusal(reasonOf(error, ''));
      if (field) setProblems({ [field]: reasonOf(error, '') });
    }
  };

  const bind = (field: keyof Registration) => ({
    value: registration[field],
    error: problems[field] ?? null,
    onChange: (event: { target: { value: string } }) => {
      setRegistration({ ...registration, [field]: event.target.value });
      setProblems({ ...problems, [field]: undefined });
    },
  });

  return (
    <form className="form" aria-label="Register" noValidate onSubmit={(event) => void submit(event)}>
      <h3>Register</h3>
      <InvitedBy code={code} />
      <fieldset className="form" disabled={register.isPending}>
        <Field
          label="GamerTag"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          hint="3 to 20 letters, digits, _ or -. Everyone sees it."
          {...bind('gamerTag')}
        />
        <Field label="Email" name="email" type="email" autoComplete="email" {...bind('email')} />
        <Field label="Password" name="password" type="password" autoComplete="new-password" {...bind('password')} />
        <Field
          label="Confirm Password"
          name="confirmation"
          type="password"
          autoComplete="new-password"
          {...bind('confirmation')}
        />
        <button type="submit" className="btn btn--act btn--wide">
          {register.isPending ? 'Registering…' : 'Register'}
        </button>
      </fieldset>
      {failure !== null && fieldOfRefusal(failure) === null && (
        <Notice tone="bad" title="Registration failed">
          {failure === 'Registration failed' ? 'Please try again.' : failure}
        </Notice>
      )}
    </form>
  );
}

/** Whose place in the matrix the new gamer will stand below, before anything is sent. */
function InvitedBy({ code }: { code: string | null }) {
  const { data } = useReferral(code);
  if (code === null || data === undefined) return null;
  if (!data.exists) {
    return (
      <Notice tone="bad" title="Referral code not found">
        The code {code} in your link belongs to nobody. Ask for the link again before you register.
      </Notice>
    );
  }
  return (
    <Notice tone="plain">
      Invited by <b>{data.ownerUsername}</b>. Your place in the matrix is kept below theirs.
    </Notice>
  );
}
