import { useState } from 'react';
import type { AdminGamerRow } from '../../../../../contracts/http/admin.js';
import { reasonOf } from '../../../shared/api/api-error.js';
import { SelectField } from '../../../shared/ui/select-field.js';
import { toast } from '../../../shared/ui/toasts.js';
import { ConfirmDialog } from '../confirm-dialog.js';
import { roleText } from './gamer-words.js';
import { useChangeRole } from './gamers.queries.js';

type Role = AdminGamerRow['role'];

const roles: { value: Role; text: string }[] = [
  { value: 'gamer', text: 'Gamer' },
  { value: 'auditor', text: 'Auditor' },
];

/** Asks first (decision 35). */
export function RoleSelect({ gamer }: { gamer: AdminGamerRow }) {
  const [wanted, setWanted] = useState<Role | null>(null);
  const { run, isBusy } = useChangeRole(gamer.id);
  const change = async (role: Role) => {
    try {
      await run({ role });
      toast({
        title: 'Role Updated',
        text: `${gamer.gamerTag} is ${role === 'auditor' ? 'an auditor' : 'a gamer'} now.`,
      });
      setWanted(null);
    } catch (error) {
      toast({ title: 'Update Failed', text: reasonOf(error, 'Failed to update role'), tone: 'bad' });
    }
  };
  return (
    <>
      <SelectField
        label="Role"
        value={gamer.role}
        options={roles}
        hint="An auditor reads the audit screens, and can do nothing of the admin’s."
        disabled={isBusy}
        onChange={(value) => setWanted(roles.find((role) => role.value === value)?.value ?? null)}
      />
      {wanted !== null && (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && setWanted(null)}
          title={wanted === 'auditor' ? `Make ${gamer.gamerTag} an auditor?` : `Make ${gamer.gamerTag} a gamer again?`}
          what={roleText(wanted, gamer.gamerTag)}
          keep="Leave it"
          confirm={wanted === 'auditor' ? 'Make auditor' : 'Make gamer'}
          busy="Changing…"
          isBusy={isBusy}
          tone="act"
          onConfirm={() => void change(wanted)}
        />
      )}
    </>
  );
}
