import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { ConfirmEmailRequest, ResetPasswordRequest } from '../../../contracts/http/gamers.js';
import type { MessageResponse } from '../../../contracts/http/headers.js';
import { refusalText } from '../../../contracts/refusals.js';
import {
  AccountForm,
  NEW_PASSWORD_FIELD,
  type NewPassword,
  newPasswordProblems,
  passwordHint,
} from '../features/gamers/account-forms.js';
import { reasonOf, send } from '../shared/api/api-client.js';
import { changingSession, sessionQuery } from '../shared/session.queries.js';
import { Button } from '../shared/ui/controls.js';
import { authForm } from '../shared/ui/go-to.js';
import { Notice } from '../shared/ui/notice.js';
import { toast, toastProblem } from '../shared/ui/toasts.js';
import { SimplePage } from './page.js';

const REDIRECTED_AFTER_MS = 4_000;

export function ResetPasswordPage() {
  const { token } = useSearch({ strict: false }) as { token?: string };
  const navigate = useNavigate();
  return (
    <SimplePage>
      {token ? (
        <>
          <h1 className="h2">Reset Password</h1>
          <ResetPasswordForm
            token={token}
            onDone={() => {
              authForm.set('login');
              void navigate({ to: '/', replace: true });
            }}
          />
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
    toastProblem('Invalid Reset Link', text);
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

function ResetPasswordForm({ token, onDone }: { token: string; onDone: () => void }) {
  const client = useQueryClient();
  const reset = (body: ResetPasswordRequest) =>
    changingSession(async () => {
      await send('POST', '/api/reset-password', body);
      // The new password ended all sessions of its gamer. Another gamer's session of this browser goes on.
      await client.refetchQueries({ queryKey: sessionQuery.queryKey });
    });
  return (
    <AccountForm<NewPassword>
      label="Reset Password"
      className="grid gap-4 w-full"
      fields={{
        password: { label: 'New password', hint: passwordHint(), ...NEW_PASSWORD_FIELD },
        confirmation: { label: 'Confirm password', ...NEW_PASSWORD_FIELD },
      }}
      button={{ text: 'UPDATE PASSWORD', pendingText: 'UPDATING...', kind: 'act wide' }}
      validate={newPasswordProblems}
      send={({ password, confirmation }) => reset({ token, newPassword: password, confirmPassword: confirmation })}
      onSuccess={() => {
        toast({
          title: 'Success!',
          text: 'Your password has been updated successfully. Please log in with your new password.',
        });
        onDone();
      }}
      failureTitle="Password reset failed"
    />
  );
}

/** The page that a mailed link leads to. A press confirms, because mail filters open links, too. */
export function ConfirmEmailPage() {
  const { token = '' } = useSearch({ strict: false }) as { token?: string };
  const client = useQueryClient();
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: (body: ConfirmEmailRequest) => send<MessageResponse>('POST', '/api/account/email/confirm', body),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
  const failure =
    token === '' ? refusalText({ code: 'invalid-email-link' }) : error && reasonOf(error, 'Please try again.');
  return (
    <SimplePage>
      <h1 className="h2">Confirm Your Email</h1>
      {data ? (
        <Notice tone="plain" urgent title="Done" text={`${data.message}. Mails about your account come here.`} />
      ) : (
        <>
          {failure !== null && <Notice tone="bad" title="Email not changed" text={failure} />}
          {token !== '' && (
            <>
              <p>Mails about your account will come to this mailbox.</p>
              <Button
                kind="act wide"
                text="Confirm this email"
                busy={isPending && 'Confirming…'}
                onClick={() => mutate({ token })}
              />
            </>
          )}
        </>
      )}
      <Link className="btn btn--text" to="/">
        Back to the game
      </Link>
    </SimplePage>
  );
}
