import { useState } from 'react';
import type { AdminGamerRow } from '../../../../../contracts/http/admin.js';
import { AdjustForm } from './adjust-form.js';
import { DeleteGamerDialog } from './delete-gamer-dialog.js';
import { DepositorSwitch } from './depositor-switch.js';
import { PasswordDialog } from './password-dialog.js';
import { ProfileForm } from './profile-form.js';
import { RoleSelect } from './role-select.js';

interface EditGamerProps {
  gamer: AdminGamerRow;
  /** Proposed for an adjustment of the balances. */
  reason?: string;
  onGone: () => void;
}

/** Everything that the admin may change of a gamer. */
export function EditGamer({ gamer, reason = '', onGone }: EditGamerProps) {
  const [asking, setAsking] = useState<'password' | 'deletion' | null>(null);
  const close = () => setAsking(null);
  return (
    <>
      <ProfileForm key={`${gamer.gamerTag} ${gamer.email}`} gamer={gamer} />
      <hr className="border-line" />
      <DepositorSwitch gamer={gamer} />
      <RoleSelect gamer={gamer} />
      <hr className="border-line" />
      <AdjustForm gamer={gamer} proposedReason={reason} />
      <hr className="border-line" />
      <div className="actions">
        <button type="button" className="btn btn--line btn--sm" onClick={() => setAsking('password')}>
          Set a new password
        </button>
        <button type="button" className="btn btn--danger btn--sm" onClick={() => setAsking('deletion')}>
          Delete gamer
        </button>
      </div>
      {asking === 'password' && <PasswordDialog gamer={gamer} onClose={close} />}
      {asking === 'deletion' && <DeleteGamerDialog gamer={gamer} onClose={close} onGone={onGone} />}
    </>
  );
}
