import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { refusalText } from '../../../contracts/messages.js';
import { ResetPasswordForm } from '../features/accounts/reset-password-form.js';
import { toast } from '../shared/ui/toasts.js';
import { SimplePage } from './simple-page.js';

/** Long enough to read why. */
const REDIRECTED_AFTER_MS = 4_000;

/** The page a reset mail leads to: its token stands in the address. */
export function ResetPasswordPage() {
  const { token } = useSearch({ strict: false }) as { token?: string };
  const navigate = useNavigate();
  return (
    <SimplePage>
      {token ? (
        <>
          <h1 className="h2">Reset Password</h1>
          <ResetPasswordForm token={token} onDone={() => void navigate({ to: '/', replace: true })} />
        </>
      ) : (
        <InvalidLink />
      )}
      <Link className="btn btn--text" to="/">
        Back to the game
      </Link>
    </SimplePage>
  );
}

function InvalidLink() {
  const navigate = useNavigate();
  const text = refusalText({ code: 'invalid-reset-token' });
  useEffect(() => {
    toast({ title: 'Invalid Reset Link', text, tone: 'bad' });
    const timer = setTimeout(() => void navigate({ to: '/', replace: true }), REDIRECTED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [navigate, text]);
  return (
    <>
      <h1 className="h2">Invalid Reset Link</h1>
      <p className="dim">{text}</p>
    </>
  );
}
