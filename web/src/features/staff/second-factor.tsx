import { useEffect, useRef, useState } from 'react';
import type * as http from '../../../../contracts/http/staff.js';
import { STAFF_PASSWORD_MIN_LENGTH } from '../../../../contracts/limits.js';
import { requestCallbacks, send, useApi, useCommand } from '../../shared/api/api-client.js';
import { reopenSocket } from '../../shared/live/live-socket.js';
import { sessionQuery, useSession } from '../../shared/session.queries.js';
import { Button, type FieldProps } from '../../shared/ui/controls.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { useFirstFocus } from '../../shared/ui/dialog-sheet.js';
import { Notice } from '../../shared/ui/notice.js';
import QrCode from '../../shared/ui/qr-code.js';
import { QueryResult } from '../../shared/ui/query-result.js';
import { copyText, toast } from '../../shared/ui/toasts.js';
import { AccountForm } from '../gamers/account-forms.js';
import './staff.css';

const secondFactorKey = ['/api', 'staff', 'second-factor'] as const;

const BUTTON = { kind: 'act', busy: 'One moment…' } as const;

export function SecondFactor() {
  const query = useApi<http.SecondFactorStatus>(secondFactorKey);
  const { send: begin } = useCommand<http.BeginEnrolmentRequest, http.EnrolmentResponse>(
    'POST',
    '/api/staff/second-factor/begin',
    { intent: 'replace the authenticator' },
  );
  const [enrolment, setEnrolment] = useState<http.EnrolmentResponse | null>(null);
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null);
  if (recoveryCodes) return <RecoveryCodes codes={recoveryCodes} onKept={() => setRecoveryCodes(null)} />;
  if (enrolment)
    return (
      <Enrolment
        {...enrolment}
        onDone={(codes) => {
          toast({ title: 'Second Factor On', text: 'Your other sessions have ended.' });
          setRecoveryCodes(codes);
          setEnrolment(null);
          // The session has another id now.
          reopenSocket();
        }}
      />
    );
  return (
    <QueryResult query={query} noun="second factor">
      {(status) => (
        <div className="enrol">
          <SecondFactorNotice {...status} />
          <AccountForm<Pick<http.BeginEnrolmentRequest, 'password'>>
            label="Set up an authenticator"
            fields={{ password: { ...PASSWORD_FIELD, label: 'Your password', hint: passwordHint(status) } }}
            button={{ ...BUTTON, text: status.isEnrolled ? 'Replace the authenticator' : 'Set up an authenticator' }}
            send={async (request) => setEnrolment(await begin(request))}
            failureTitle="Not Done"
            fieldOf={() => 'password'}
          />
        </div>
      )}
    </QueryResult>
  );
}

/** Until a required second factor is on, My Account is closed. */
const passwordHint = ({ isEnrolled, isRequired }: http.SecondFactorStatus): string =>
  `If it has fewer than ${STAFF_PASSWORD_MIN_LENGTH} characters, first ${isRequired && !isEnrolled ? 'log out and use “Forgot password?”' : 'change it in My Account'}.`;

function SecondFactorNotice({ isEnrolled, isRequired }: http.SecondFactorStatus) {
  const mustLogIn = useSession()?.needsSecondFactor === true;
  if (isEnrolled) {
    const text = mustLogIn
      ? 'Log out, and log in again with its code.'
      : 'A new authenticator comes with ten new codes.';
    return <Notice tone={mustLogIn ? 'missing' : 'plain'} title="Your second factor is on" text={text} />;
  }
  const first = 'Staff need one on this site. Until then you can do nothing else.';
  if (isRequired) return <Notice tone="missing" title="Set up a second factor first" text={first} />;
  const why = 'With one, a stolen password alone opens nothing. On an https site staff need it.';
  return <Notice tone="missing" title="You have no second factor" text={why} />;
}

function Enrolment({ secret, uri, onDone }: http.EnrolmentResponse & { onDone: (codes: string[]) => void }) {
  const path = '/api/staff/second-factor/confirm';
  const { send: confirm } = useCommand<http.ConfirmEnrolmentRequest, http.RecoveryCodesResponse>('POST', path, {
    // The session has more rights now.
    reloads: [sessionQuery.queryKey],
    onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
  });
  return (
    <div className="enrol">
      <p>
        Scan this code with your authenticator app, or type the key into it. Then enter the six digits that it shows.
      </p>
      <QrCode value={uri} title="QR code with the key of your second factor" size={200} />
      <p>
        <span className="t14 dim">Key</span>
        <br />
        <span className="code">{secret.replace(/(.{4})(?=.)/g, '$1 ')}</span>
      </p>
      <Button
        kind="line sm"
        text="Copy the key"
        onClick={() => void copyText(secret, 'The key is on the clipboard.')}
      />
      <AccountForm<Pick<http.ConfirmEnrolmentRequest, 'code'>>
        label="Confirm the authenticator"
        fields={{ code: { label: 'Code', inputMode: 'numeric', autoComplete: 'one-time-code', hint: 'Six digits.' } }}
        button={{ ...BUTTON, text: 'Confirm' }}
        send={confirm}
        failureTitle="Not Done"
        fieldOf={() => 'code'}
      />
    </div>
  );
}

const RecoveryCodes = ({ codes, onKept }: { codes: string[]; onKept: () => void }) => (
  <div className="enrol">
    <Notice
      tone="plain"
      urgent
      title="Your second factor is on"
      text="Keep these codes where only you find them, not on the phone with the authenticator. Each lets you in once when that phone is lost. They are not shown again."
    />
    <ul className="recovery-codes" aria-label="Recovery codes">
      {codes.map((code) => (
        <li key={code} className="code">
          {code}
        </li>
      ))}
    </ul>
    <div className="actions">
      <Button text="Copy" onClick={() => void copyText(codes.join('\n'), 'The codes are on the clipboard.')} />
      <Button kind="act" text="I have kept them" onClick={onKept} />
    </div>
  </div>
);

/** A staff member's session ends when idle: the page reports a used keyboard or pointer to the server at most this often. */
const REPORTED_EVERY_MS = 5 * 60 * 1000;

export default function StaffSession() {
  const [pending, setPending] = useState<{ intent?: string; answer: (isConfirmed: boolean) => void } | null>(null);
  useEffect(() => {
    let waiting: Promise<boolean> | null = null;
    requestCallbacks.askForStepUp = (intent) => {
      waiting ??= new Promise<boolean>((resolve) => setPending({ intent, answer: resolve })).finally(() => {
        waiting = null;
        setPending(null);
      });
      return waiting;
    };
    return () => {
      requestCallbacks.askForStepUp = null;
    };
  }, []);
  useActivityReports();
  return pending && <StepUpDialog intent={pending.intent} onDone={pending.answer} />;
}

function useActivityReports(): void {
  const reportedAtMonotonicMs = useRef(performance.now());
  useEffect(() => {
    const report = () => {
      if (performance.now() - reportedAtMonotonicMs.current < REPORTED_EVERY_MS) return;
      reportedAtMonotonicMs.current = performance.now();
      // A lost report is made up by the next one; the page's queries notice a session that has ended.
      send('POST', '/api/staff/activity').catch(() => undefined);
    };
    const listening = new AbortController();
    const options = { passive: true, signal: listening.signal };
    for (const sign of ['pointerdown', 'keydown', 'wheel']) window.addEventListener(sign, report, options);
    return () => listening.abort();
  }, []);
}

/** Asks for the second factor, or for the password without one. The command that waits is sent again afterwards. */
function StepUpDialog({ intent, onDone }: { intent?: string; onDone: (isConfirmed: boolean) => void }) {
  const query = useApi<http.SecondFactorStatus>(secondFactorKey, { refetchOnMount: 'always' });
  return (
    <Dialog
      onClose={() => onDone(false)}
      title="Confirm that it is you"
      description={`${intent === undefined ? '' : `You want to ${withArticle(intent)}. `}Money, roles and deletions need your confirmation. It then holds for ten minutes.`}
    >
      <QueryResult query={query} noun="step-up" rows={2}>
        {({ isEnrolled }) => <StepUpForm isEnrolled={isEnrolled} onDone={() => onDone(true)} />}
      </QueryResult>
    </Dialog>
  );
}

/** "delete the gamer" of "delete gamer". */
const withArticle = (intent: string): string => intent.replace(/^\S+ (?!the |your )/, '$&the ');

const CODE_FIELD: FieldProps = {
  label: 'Code',
  hint: 'Six digits from your authenticator app, or a recovery code.',
  autoComplete: 'one-time-code',
  inputMode: 'text',
};
const PASSWORD_FIELD: FieldProps = { label: 'Password', type: 'password', autoComplete: 'current-password' };

function StepUpForm({ isEnrolled, onDone }: { isEnrolled: boolean; onDone: () => void }) {
  const firstFocus = useFirstFocus();
  const confirm = async ({ proof }: { proof: string }) => {
    const request: http.StepUpRequest = isEnrolled ? { code: proof } : { password: proof };
    await send('POST', '/api/staff/step-up', request);
    // The session has another id now, and its sockets were closed.
    reopenSocket();
    onDone();
  };
  return (
    <AccountForm<{ proof: string }>
      fields={{ proof: { ...(isEnrolled ? CODE_FIELD : PASSWORD_FIELD), ...firstFocus } }}
      button={{ text: 'Confirm', busy: 'Confirming…' }}
      send={confirm}
      failureTitle="Not Confirmed"
      fieldOf={() => 'proof'}
    />
  );
}
