import { useState } from 'react';
import type { ChangeEmailRequest, ChangePasswordRequest, OwnSession } from '../../../../contracts/http/gamers.js';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import { isStaff, type Role } from '../../../../contracts/ids.js';
import { PASSWORD_MIN_LENGTH, STAFF_PASSWORD_MIN_LENGTH } from '../../../../contracts/limits.js';
import type { RefusalCode } from '../../../../contracts/refusals.js';
import { useApi, useCommand } from '../../shared/api/api-client.js';
import { reopenSocket } from '../../shared/live/live-socket.js';
import { sessionQuery } from '../../shared/session.queries.js';
import { Notice } from '../../shared/ui/notice.js';
import { QueryResult } from '../../shared/ui/query-result.js';
import { toast } from '../../shared/ui/toasts.js';
import { AccountForm, NEW_PASSWORD, passwordHint } from './account-forms.js';
import './gamers.css';
import { dateTimeText } from '../../shared/format.js';
import { Button } from '../../shared/ui/controls.js';

const CURRENT_PASSWORD = { label: 'Current password', type: 'password', autoComplete: 'current-password' } as const;

/** A request's fields as the values of a form. */
type Fields<Request> = Pick<Request, keyof Request>;

const currentPasswordField = (code: RefusalCode | null) => (code === 'wrong-password' ? 'currentPassword' : null);

export function PasswordForm({ role }: { role: Role }) {
  const hint = passwordHint(isStaff(role) ? STAFF_PASSWORD_MIN_LENGTH : PASSWORD_MIN_LENGTH);
  // A new key empties the form, so that it is not sent twice.
  const [sent, setSent] = useState(0);
  const { send: change } = useCommand<ChangePasswordRequest, MessageResponse>('POST', '/api/account/password', {
    intent: 'change your password',
    // The other sessions have ended.
    reloads: [sessionQuery.queryKey],
  });
  return (
    <AccountForm<Fields<ChangePasswordRequest>>
      key={sent}
      label="Change password"
      className="form own-account"
      fields={{
        currentPassword: CURRENT_PASSWORD,
        newPassword: { label: 'New password', hint, ...NEW_PASSWORD },
        confirmPassword: { label: 'Confirm new password', ...NEW_PASSWORD },
      }}
      button={{ text: 'Change password', busy: 'Changing…', kind: 'line' }}
      send={async (body) => {
        const { message } = await change(body);
        toast({ title: 'Password Changed', text: message });
        setSent(sent + 1);
        reopenSocket();
      }}
      failureTitle="Password not changed"
      fieldOf={(code) => {
        if (code === 'passwords-do-not-match') return 'confirmPassword';
        return code?.includes('password-too') ? 'newPassword' : currentPasswordField(code);
      }}
    />
  );
}

export function EmailForm({ email, isConfirmed }: { email: string; isConfirmed: boolean }) {
  const [message, setMessage] = useState<string | null>(null);
  // The current address is offered as long as its link may be sent again.
  const present = isConfirmed ? '' : email;
  const { send } = useCommand<ChangeEmailRequest, MessageResponse>('POST', '/api/account/email', {
    intent: 'change your email',
  });
  const request = async (body: ChangeEmailRequest) => {
    const response = await send(body);
    setMessage(response.message);
    toast({ title: 'Look into the New Mailbox', text: response.message });
  };
  return (
    <div className="form own-account">
      <p>
        Your email is <b className="break-words">{email}</b>, {isConfirmed ? 'confirmed' : 'not confirmed yet'}.
      </p>
      <AccountForm<Fields<ChangeEmailRequest>>
        key={`${message} ${present}`}
        label="Change email"
        className="form"
        initial={{ newEmail: present }}
        fields={{
          newEmail: {
            label: isConfirmed ? 'New email' : 'Present or new email',
            type: 'email',
            autoComplete: 'email',
          },
          currentPassword: CURRENT_PASSWORD,
        }}
        button={{
          text: isConfirmed ? 'Send a link to the new email' : 'Send a link to this email',
          busy: 'Sending…',
          kind: 'line',
        }}
        send={request}
        failureTitle="Email not changed"
        fieldOf={(code) =>
          code === 'invalid-email' || code === 'email-unchanged' ? 'newEmail' : currentPasswordField(code)
        }
      />
      {message !== null && <Notice tone="plain" text={message} />}
    </div>
  );
}

export function OwnSessions() {
  const query = useApi<OwnSession[]>(['/api', 'account', 'sessions']);
  return (
    <QueryResult query={query} noun="sessions">
      {(sessions) => (
        <ul className="rows">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      )}
    </QueryResult>
  );
}

function SessionRow({ session: { id, device: name, begunAtMs, isCurrent } }: { session: OwnSession }) {
  const path = `/api/account/sessions/${id}`;
  const { run, isBusy } = useCommand<void>('DELETE', path, { failureTitle: 'Session not ended' });
  return (
    <li className="own-session">
      <div>
        <b>{name}</b>
        <p className="t14 dim">Logged in {dateTimeText(begunAtMs)}, New York time</p>
      </div>
      {isCurrent ? (
        <span className="chip chip--on">This device</span>
      ) : (
        <Button
          kind="line sm"
          text="End"
          of={`the session of ${name}, logged in ${dateTimeText(begunAtMs)}`}
          busy={isBusy && 'Ending…'}
          onClick={() => void run(undefined, { title: 'Session Ended', text: `${name} is logged out.` })}
        />
      )}
    </li>
  );
}
