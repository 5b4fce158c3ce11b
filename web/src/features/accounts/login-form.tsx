import { type FormEvent, useState } from 'react';
import { refusalText } from '../../../../contracts/messages.js';
import { Field } from '../../shared/ui/field.js';
import { Notice } from '../../shared/ui/notice.js';
import { returnToStage } from '../../shared/ui/return-to-stage.js';
import { toast } from '../../shared/ui/toasts.js';
import { useLogin } from './accounts.queries.js';
import { ForgotPassword } from './forgot-password.js';
import { useFormFailure } from './use-form-failure.js';

const required = refusalText({ code: 'all-fields-required' });

export function LoginForm() {
  const login = useLogin();
  const { failure, fail, clear } = useFormFailure('Login failed');
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [tried, setTried] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    clear();
    setTried(true);
    if (username.trim() === '' || password === '') return toast({ title: 'Invalid Form', text: required, tone: 'bad' });
    try {
      await login.mutateAsync({ username: username.trim(), password });
      toast({ title: 'Success!', text: 'Logged in successfully' });
      returnToStage();
    } catch (error) {
      fail(error);
    }
  };

  return (
    <div className="form">
      <form className="form" aria-label="Login" noValidate onSubmit={(event) => void submit(event)}>
        <h3>Login</h3>
        <fieldset className="form" disabled={login.isPending}>
          <Field
            label="GamerTag"
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="Your GamerTag"
            value={username}
            error={tried && username.trim() === '' ? required : null}
            onChange={(event) => setUsername(event.target.value)}
          />
          <Field
            label="Password"
            name="password"
            type="password"
            autoComplete="current-password"
            value={password}
            error={tried && password === '' ? required : null}
            onChange={(event) => setPassword(event.target.value)}
          />
          <button type="submit" className="btn btn--line btn--wide">
            {login.isPending ? 'Logging in…' : 'Login'}
          </button>
        </fieldset>
        {failure !== null && (
          <Notice tone="bad" title="Login failed">
            {failure === 'Login failed' ? 'Please try again.' : failure}
          </Notice>
        )}
      </form>
      <ForgotPassword />
    </div>
  );
}
