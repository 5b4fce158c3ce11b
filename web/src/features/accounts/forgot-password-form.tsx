import { type FormEvent, useState } from 'react';
import { refusalText } from '../../../../contracts/messages.js';
import { Field } from '../../shared/ui/field.js';
import { Notice } from '../../shared/ui/notice.js';
import { toast } from '../../shared/ui/toasts.js';
import { useRequestPasswordReset } from './password-reset.queries.js';
import { useFormFailure } from './use-form-failure.js';

const required = refusalText({ code: 'all-fields-required' });
const FAILED = 'Failed to send reset email';

export function ForgotPasswordForm({ onSent }: { onSent: () => void }) {
  const request = useRequestPasswordReset();
  const { failure, fail, clear } = useFormFailure(FAILED);
  const [gamerTag, setGamerTag] = useState('');
  const [email, setEmail] = useState('');
  const [tried, setTried] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    clear();
    setTried(true);
    if (gamerTag.trim() === '' || email.trim() === '')
      return toast({ title: 'Invalid Form', text: required, tone: 'bad' });
    try {
      await request.mutateAsync({ gamerTag: gamerTag.trim(), email: email.trim() });
      onSent();
    } catch (error) {
      fail(error);
    }
  };

  return (
    <form className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
      <fieldset className="grid gap-4 min-w-0" disabled={request.isPending}>
        <Field
          label="GamerTag"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          value={gamerTag}
          error={tried && gamerTag.trim() === '' ? required : null}
          onChange={(event) => setGamerTag(event.target.value)}
        />
        <Field
          label="Email"
          type="email"
          autoComplete="email"
          value={email}
          error={tried && email.trim() === '' ? required : null}
          onChange={(event) => setEmail(event.target.value)}
        />
        <button type="submit" className="btn btn--act btn--wide">
          {request.isPending ? 'Sending…' : 'Send reset email'}
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
