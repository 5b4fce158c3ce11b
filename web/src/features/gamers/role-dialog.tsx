import { useState } from 'react';
import type { AdminGamerRow } from '../../../../contracts/http/gamers.js';
import type { ChangeRoleRequest } from '../../../../contracts/http/staff.js';
import { POWERS, type Power } from '../../../../contracts/ids.js';
import { versionOf } from '../../../../contracts/versions.js';
import { ConfirmDialog } from '../../shared/ui/admin-parts.js';
import { Button, Switch } from '../../shared/ui/controls.js';
import { type GamerDialogProps, type OfGamer, roleName, useGamerCommand } from './gamers-panel.js';

/** "Operator: Money, Game" */
export const describeRole = ({ role, powers }: AdminGamerRow): string =>
  [roleName(role), powers.map((power) => POWER_NAMES[power].title).join(', ')].filter(Boolean).join(': ');

const ROLES = ['gamer', 'auditor', 'operator'] as const;

/** A button for each change of the gamer's role. */
export function RoleButtons({ gamer }: OfGamer) {
  const [wanted, setWanted] = useState<AdminGamerRow['role'] | null>(null);
  return (
    <>
      {ROLES.filter((role) => role !== gamer.role || role === 'operator').map((role) => {
        const text = role === gamer.role ? 'Change powers' : `Make ${role}`;
        return <Button key={role} kind="line sm" text={text} onClick={() => setWanted(role)} />;
      })}
      {wanted !== null && <RoleDialog gamer={gamer} wanted={wanted} onClose={() => setWanted(null)} />}
    </>
  );
}

function RoleDialog({ gamer, wanted, onClose }: GamerDialogProps & { wanted: AdminGamerRow['role'] }) {
  const { gamerTag, role } = gamer;
  const [powers, setPowers] = useState<readonly Power[]>(gamer.powers);
  const [readAs, setReadAs] = useState<string | undefined>(versionOf(role, gamer.powers));
  const { run } = useGamerCommand<ChangeRoleRequest>(gamer, 'role', 'update role');
  const isOperator = wanted === 'operator';
  const article = wanted === 'gamer' ? 'a' : 'an';
  const title = role === wanted ? `Change the powers of ${gamerTag}?` : `Make ${gamerTag} ${article} ${wanted}?`;
  return (
    <ConfirmDialog
      title={wanted === 'gamer' ? `Make ${gamerTag} a gamer again?` : title}
      description={`${gamerTag} ${ROLE_EFFECTS[wanted]}`}
      labels={{ cancel: 'Leave it', confirm: role === wanted ? 'Save powers' : `Make ${wanted}`, busy: 'Changing…' }}
      tone="act"
      isReady={!isOperator || powers.length > 0}
      onClose={onClose}
      onConfirm={async () => {
        const done = { title: 'Role Updated', text: `${gamerTag} is ${article} ${wanted} now.` };
        const problem = await run(isOperator ? { role: wanted, powers: [...powers] } : { role: wanted }, done, readAs);
        // A second press, after the warning, saves these.
        setReadAs(undefined);
        return problem;
      }}
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

const POWER_NAMES: Record<Power, { title: string; text: string }> = {
  money: { title: 'Money', text: 'deposits, payouts, adjustments, depositor status' },
  game: { title: 'Game', text: 'start, force live, reset, timers' },
  support: { title: 'Support', text: 'tickets, exclusions' },
  community: { title: 'Community', text: 'hide posts' },
};

const ROLE_EFFECTS: Record<AdminGamerRow['role'], string> = {
  auditor:
    'becomes an auditor, who reads the audit screens: every event, account and statement. They cannot change anything, have no admin rights, and neither buy, earn nor withdraw while they are one.',
  operator:
    'may do in your place what the powers allow. The ledger names them in each act. An operator neither buys, deposits, earns nor withdraws while they are one.',
  gamer:
    'is no longer staff: the audit screens and the admin panel close for them. Their account, money and place in the matrix do not change.',
};
