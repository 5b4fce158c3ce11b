import { useEffect, useRef, useState } from 'react';
import type { SecondFactorStatus, StepUpRequest } from '../../../../contracts/http/staff.js';
import { page, send } from '../../shared/api/api-client.js';
import { useApi } from '../../shared/api/use-api.js';
import { reopenSocket } from '../../shared/live/live-socket.js';
import type { FieldProps } from '../../shared/ui/controls.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { useFirstFocus } from '../../shared/ui/dialog-sheet.js';
import { QueryResult } from '../../shared/ui/query-result.js';
import { AccountForm } from '../gamers/account-forms.js';

/** A staff member's session ends when idle: the page reports a used keyboard or pointer to the server at most this often. */
const REPORTED_EVERY_MS = 5 * 60 * 1000;

export default function StaffSession() {
  const [pending, setPending] = useState<{ intent?: string; answer: (isConfirmed: boolean) => void } | null>(null);
  useEffect(() => {
    let waiting: Promise<boolean> | null = null;
    page.askForStepUp = (intent) => {
      waiting ??= new Promise<boolean>((resolve) => setPending({ intent, answer: resolve })).finally(() => {
        waiting = null;
        setPending(null);
      });
      return waiting;
    };
    return () => {
      page.askForStepUp = null;
    };
  }, []);
  useActivityReports();
  return pending && <StepUpDialog intent={pending.intent} onDone={pending.answer} />;
}

function useActivityReports(): void {
  const reportedAtMs = useRef(performance.now());
  useEffect(() => {
    const report = () => {
      if (performance.now() - reportedAtMs.current < REPORTED_EVERY_MS) return;
      reportedAtMs.current = performance.now();
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
  const query = useApi<SecondFactorStatus>(secondFactorKey, { refetchOnMount: 'always' });
  return (
    <Dialog
      onClose={() => onDone(false)}
      title="Confirm that it is you"
      description={`${intent === undefined ? '' : `You want to ${withArticle(intent)}. `}Money, roles and deletions need your confirmation. It then holds for ten minutes.`}
    >
      <QueryResult query={query} what="step-up" rows={2}>
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
export const PASSWORD_FIELD: FieldProps = { label: 'Password', type: 'password', autoComplete: 'current-password' };

function StepUpForm({ isEnrolled, onDone }: { isEnrolled: boolean; onDone: () => void }) {
  const firstFocus = useFirstFocus();
  const confirm = async ({ proof }: { proof: string }) => {
    const request: StepUpRequest = isEnrolled ? { code: proof } : { password: proof };
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

export const secondFactorKey = ['/api', 'staff', 'second-factor'] as const;
