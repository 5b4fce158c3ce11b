import { useState } from 'react';
import type { AdminGamerRow } from '../../../../../contracts/http/admin.js';
import { PASSWORD_MAX_LENGTH } from '../../../../../contracts/limits.js';
import { reasonOf } from '../../../shared/api/api-error.js';
import { Field } from '../../../shared/ui/field.js';
import { toast } from '../../../shared/ui/toasts.js';
import { ConfirmDialog } from '../confirm-dialog.js';
import { useResetPassword } from './gamers.queries.js';
import { passwordProblem } from './profile-rules.js';

/** The password stands in plain sight: the admin has to tell the gamer what it is. */
export function PasswordDialog({ gamer, onClose }: { gamer: AdminGamerRow; onClose: () => void }) {
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const { run, isBusy } = useResetPassword(gamer.id);
  const fail = (title: string, text: string) => {
    setProblem(text);
    toast({ title, text, tone: 'bad' });
  };
  const set = async () => {
    const wrong = passwordProblem(password);
    if (wrong !== null) return fail('Invalid Form', wrong);
    try {
      await run({ password });
      toast({ title: 'Password Updated', text: `${gamer.gamerTag} is logged out everywhere.` });
      onClose();
    } catch (error) {
      fail('Update Failed', reasonOf(error, 'Failed to update password'));
    }
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Set a new password for ${gamer.gamerTag}?`}
      what="The old password stops working at once, and they are logged out everywhere."
      keep="Keep the old one"
      confirm="Set password"
      busy="Setting…"
      isBusy={isBusy}
      tone="act"
      onConfirm={() => void set()}
    >
      <Field
        label="New password"
        className="code"
        autoComplete="off"
        spellCheck={false}
        maxLength={PASSWORD_MAX_LENGTH}
        hint="At least 6 characters. Tell it to nobody else."
        value={password}
        error={problem}
        onChange={(event) => {
          setPassword(event.target.value);
          setProblem(null);
        }}
      />
    </ConfirmDialog>
  );
}
