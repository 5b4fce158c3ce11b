import { useState } from 'react';
import { Dialog } from '../../shared/ui/dialog.js';
import { Late, latePart } from '../../shared/ui/late.js';
import { Notice } from '../../shared/ui/notice.js';

const requestForm = latePart<{ onSent: () => void }>(
  () => import('./forgot-password-form.js').then((module) => module.ForgotPasswordForm),
  { label: 'Loading the form', rows: 3 },
);

/** The link below the login form, its dialog, and what stands there once a mail is on its way. */
export function ForgotPassword() {
  const [open, setOpen] = useState(false);
  const [sent, setSent] = useState(false);
  return (
    <>
      <p>
        <button type="button" className="linkish min-h-11" onClick={() => setOpen(true)}>
          Forgot password?
        </button>
      </p>
      {sent && (
        <Notice tone="plain" urgent>
          If your account exists, a password reset email has been sent. Please check your email.
        </Notice>
      )}
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Reset Password"
        description="We send a link to the email of your account. It works once, for an hour."
      >
        <Late
          part={requestForm}
          props={{
            onSent: () => {
              setOpen(false);
              setSent(true);
            },
          }}
        />
      </Dialog>
    </>
  );
}
