import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import type { ConfirmEmailRequest, ResetPasswordRequest } from '../../../contracts/http/gamers.js';
import type { MessageResponse } from '../../../contracts/http/headers.js';
import { refusalText } from '../../../contracts/refusals.js';
import { AccountForm, NEW_PASSWORD, newPasswordProblems, passwordHint } from '../features/gamers/account-forms.js';
import { codeOf, reasonOf, send, useCommand } from '../shared/api/api-client.js';
import { changeSession, sessionQuery } from '../shared/session.queries.js';
import { Button, PageLink } from '../shared/ui/controls.js';
import { authForm, authHash } from '../shared/ui/go-to.js';
import { Notice } from '../shared/ui/notice.js';
import { Loading } from '../shared/ui/query-result.js';
import { toast, toastProblem } from '../shared/ui/toasts.js';

/** Specification §9, payment-success redirect. */
const REDIRECTED_AFTER_MS = 5_000;

function useRedirect(): void {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => void navigate({ to: '/', replace: true }), REDIRECTED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [navigate]);
}

export function PaymentSuccessPage() {
  useRedirect();
  return (
    <>
      <Check size={40} aria-hidden="true" />
      <h1 className="h2">Payment Successful!</h1>
      <p>Your balance will be updated within a few minutes</p>
      <PageLink className="btn btn--act" to="/" text="Go to Home Now" />
      <p className="t14 dim">Or wait: the game opens in 5 seconds.</p>
    </>
  );
}

const MailedLinkPage = ({ title, children }: { title: string; children: ReactNode }) => (
  <>
    <h1 className="h2">{title}</h1>
    {children}
    <PageLink className="btn btn--text" to="/" text="Back to the game" />
  </>
);

export function ResetPasswordPage() {
  const { token } = useSearch({ strict: false }) as { token?: string };
  const { isPending, error } = useQuery({
    queryKey: ['reset-link', token],
    gcTime: 0,
    queryFn: () => (token ? send<MessageResponse>('POST', '/api/reset-password/check', { token }) : null),
  });
  if (!token || codeOf(error) === 'invalid-reset-token') return <InvalidLink />;
  // When the check has no response, the form is shown: its own request will be refused.
  return (
    <MailedLinkPage title="Reset Password">
      {isPending ? <Loading label="Checking the link" rows={4} /> : <ResetPassword token={token} />}
    </MailedLinkPage>
  );
}

function InvalidLink() {
  const text = refusalText({ code: 'invalid-reset-token' });
  useEffect(() => void toastProblem('Invalid Reset Link', text), [text]);
  useRedirect();
  return (
    <MailedLinkPage title="Invalid Reset Link">
      <p className="dim">{text}</p>
    </MailedLinkPage>
  );
}

function ResetPassword({ token }: { token: string }) {
  const navigate = useNavigate();
  const { send: change } = useCommand<ResetPasswordRequest>('POST', '/api/reset-password', {
    // The new password ended all sessions of its gamer. Another gamer's session of this browser goes on.
    reloads: [sessionQuery.queryKey],
  });
  const reset = async (body: ResetPasswordRequest) => {
    await changeSession(() => change(body));
    const text = 'Your password has been updated successfully. Please log in with your new password.';
    toast({ title: 'Success!', text });
    authForm.set('login');
    void navigate({ to: '/', hash: authHash('login'), replace: true });
  };
  return (
    <AccountForm
      label="Reset Password"
      fields={{
        newPassword: { label: 'New password', hint: passwordHint(), ...NEW_PASSWORD },
        confirmPassword: { label: 'Confirm password', ...NEW_PASSWORD },
      }}
      button={{ text: 'UPDATE PASSWORD', busy: 'UPDATING...' }}
      validate={newPasswordProblems}
      send={(typed) => reset({ token, ...typed })}
      failureTitle="Password reset failed"
    />
  );
}

/** The page that a mailed link leads to. A press confirms, because mail filters open links, too. */
export function ConfirmEmailPage() {
  const { token = '' } = useSearch({ strict: false }) as { token?: string };
  const { send: confirm } = useCommand<ConfirmEmailRequest, MessageResponse>('POST', '/api/account/email/confirm', {
    reloads: [sessionQuery.queryKey],
  });
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: (body: ConfirmEmailRequest) => changeSession(() => confirm(body)),
  });
  const failure =
    token === '' ? refusalText({ code: 'invalid-email-link' }) : error && reasonOf(error, 'Please try again.');
  return (
    <MailedLinkPage title="Confirm Your Email">
      {data && (
        <Notice tone="plain" urgent title="Done" text={`${data.message}. Mails about your account come here.`} />
      )}
      {!data && failure && <Notice tone="bad" title="Email not confirmed" text={failure} />}
      {!data && token !== '' && (
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
    </MailedLinkPage>
  );
}
