import { useState } from 'react';
import type { AdminGamerRow } from '../../../../contracts/http/gamers.js';
import type { ChangeRoleRequest } from '../../../../contracts/http/staff.js';
import { POWERS, type Power } from '../../../../contracts/ids.js';
import { useCommand } from '../../shared/api/use-command.js';
import { gamerPath, gamersKey } from '../../shared/lists/admin.queries.js';
import { ConfirmDialog } from '../../shared/ui/admin-parts.js';
import { Button, SelectField } from '../../shared/ui/controls.js';
import { Switch } from '../../shared/ui/switch.js';
import { describeRoleChange, POWER_NAMES, roleName } from '../gamers/edit-gamer-rules.js';

const roles = (['gamer', 'auditor', 'operator'] as const).map((value) => ({ value, text: roleName(value) }));

/** Asks before it changes the role or an operator's powers (decisions 35, 50). */
export function RoleSelect({ gamer }: { gamer: AdminGamerRow }) {
  const [wanted, setWanted] = useState<AdminGamerRow['role'] | null>(null);
  return (
    <>
      <SelectField
        label="Role"
        value={gamer.role}
        options={roles}
        hint="An auditor can read the audit screens and has no admin rights. An operator does what their powers allow. Neither plays."
        onChange={(chosen) => setWanted(roles.find(({ value }) => value === chosen)?.value ?? null)}
      />
      {gamer.role === 'operator' && (
        <Button
          kind="line sm"
          text={`Powers: ${gamer.powers.map((power) => POWER_NAMES[power].title).join(', ')}`}
          aria-label={`Change the powers of ${gamer.gamerTag}`}
          onClick={() => setWanted('operator')}
        />
      )}
      {wanted !== null && <RoleDialog gamer={gamer} wanted={wanted} onClose={() => setWanted(null)} />}
    </>
  );
}

interface RoleDialogProps {
  gamer: AdminGamerRow;
  wanted: AdminGamerRow['role'];
  onClose: () => void;
}

function RoleDialog({ gamer, wanted, onClose }: RoleDialogProps) {
  const { gamerTag, role } = gamer;
  const [powers, setPowers] = useState<readonly Power[]>(gamer.powers);
  const { run } = useCommand<ChangeRoleRequest>('POST', gamerPath(gamer, 'role'), {
    what: 'update role',
    reloads: [gamersKey],
  });
  const isOperator = wanted === 'operator';
  const name = roleName(wanted).toLowerCase();
  const article = wanted === 'gamer' ? 'a' : 'an';
  const title = role === wanted ? `Change the powers of ${gamerTag}?` : `Make ${gamerTag} ${article} ${name}?`;
  return (
    <ConfirmDialog
      title={wanted === 'gamer' ? `Make ${gamerTag} a gamer again?` : title}
      description={describeRoleChange(wanted, gamerTag)}
      labels={{ cancel: 'Leave it', confirm: role === wanted ? 'Save powers' : `Make ${name}`, busy: 'Changing…' }}
      tone="act"
      isReady={!isOperator || powers.length > 0}
      onClose={onClose}
      onConfirm={() =>
        run(isOperator ? { role: wanted, powers: [...powers] } : { role: wanted }, {
          title: 'Role Updated',
          text: `${gamerTag} is ${article} ${name} now.`,
        })
      }
    >
      {isOperator && (
        <fieldset className="grid gap-3">
          <legend className="label">Powers</legend>
          {POWERS.map((power) => (
            <Switch
              key={power}
              isOn={powers.includes(power)}
              onChange={(isOn) => setPowers(isOn ? [...powers, power] : powers.filter((one) => one !== power))}
            >
              {POWER_NAMES[power].title} <span className="dim t14">{POWER_NAMES[power].text}</span>
            </Switch>
          ))}
        </fieldset>
      )}
    </ConfirmDialog>
  );
}
