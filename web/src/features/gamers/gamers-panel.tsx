import { type ComponentType, type ReactNode, useState } from 'react';
import type { AdminGamerRow, AdminGamersResponse } from '../../../../contracts/http/gamers.js';
import type { ChangeRoleRequest } from '../../../../contracts/http/staff.js';
import { type GamerId, POWERS, type Power } from '../../../../contracts/ids.js';
import { EMAIL_MAX_LENGTH, GAMER_LIST_PAGE_SIZE } from '../../../../contracts/limits.js';
import { versionOf } from '../../../../contracts/versions.js';
import { useApi, useCommand } from '../../shared/api/api-client.js';
import { counted, dayText, formatCents } from '../../shared/format.js';
import { column, GamerName, type TableColumn, TwoLines } from '../../shared/lists/data-table.js';
import { PagedTable, POLLED_EVERY_MS, usePagedRows } from '../../shared/lists/list-table.js';
import { ConfirmDialog, PanelHead } from '../../shared/ui/admin-parts.js';
import { Button, Field, Pairs, Switch } from '../../shared/ui/controls.js';
import { useDebounced } from '../../shared/ui/hooks.js';
import { QueryResult } from '../../shared/ui/query-result.js';

export const gamersKey = ['/api', 'admin', 'mini', 'gamers'] as const;

export type GamerProps = { gamer: AdminGamerRow };
export type GamerDialogProps = GamerProps & { onClose: () => void };

export function useGamerCommand<Body, Result = unknown>(gamer: AdminGamerRow, action: string, intent: string) {
  const method = action === 'profile' ? 'PATCH' : 'POST';
  const path = `/api/admin/mini/gamers/${gamer.id}/${action}`;
  return useCommand<Body, Result>(method, path, { intent, reloads: [['statement', gamer.id]] });
}

const roleName = (role: AdminGamerRow['role']): string => `${role[0]?.toUpperCase()}${role.slice(1)}`;

const columns: TableColumn<AdminGamerRow>[] = [
  column.text('Gamer', (gamer) => gamer.gamerTag, {
    isKey: true,
    cell: ({ id, gamerTag, role, email }) => (
      <TwoLines
        first={
          <>
            <GamerName gamerTag={gamerTag} gamerId={id} />{' '}
            {role !== 'gamer' && <span className="chip chip--on">{roleName(role)}</span>}
          </>
        }
        second={email}
      />
    ),
  }),
  column.text('Email', (gamer) => gamer.email, { exportOnly: true }),
  column.text('Role', (gamer) => gamer.role, { exportOnly: true }),
  column.dateTime('Depositor until', (gamer) => gamer.depositorExpiresAt, {
    cell: (gamer) => <DepositorUntil gamer={gamer} />,
  }),
  column.cents('Purchase', (gamer) => gamer.purchaseBalance),
  column.cents('Winnings', (gamer) => gamer.currentWinnings, {
    cell: ({ currentWinnings }) => (
      <span className={currentWinnings > 0 ? 'won' : 'dim'}>{formatCents(currentWinnings)}</span>
    ),
  }),
  column.id,
];

function DepositorUntil({ gamer: { isDepositor, depositorExpiresAt } }: GamerProps) {
  if (depositorExpiresAt === null) return <span className="dim">not a depositor</span>;
  if (isDepositor) return dayText(depositorExpiresAt);
  return <span className="dim">expired {dayText(depositorExpiresAt)}</span>;
}

export function GamersPanel({ title }: { title: ReactNode }) {
  const [search, setSearch] = useState('');
  const q = useDebounced(search.trim());
  const list = usePagedRows(gamersKey, ({ gamers }: AdminGamersResponse) => gamers, {
    filter: { q },
    pageSize: GAMER_LIST_PAGE_SIZE,
    everyMs: POLLED_EVERY_MS,
  });
  const { data } = list.query;
  return (
    <>
      <PanelHead title={title}>{data && counted(data.total, 'gamer')}</PanelHead>
      <PagedTable
        list={list}
        name="Gamers"
        columns={columns}
        tool={
          <Field
            type="search"
            label="GamerTag or email"
            maxLength={EMAIL_MAX_LENGTH}
            value={search}
            onChange={setSearch}
          />
        }
        empty={q === '' ? 'Nobody has registered yet.' : `Nobody’s GamerTag or email contains “${q}”.`}
      />
    </>
  );
}

type Detailed = { /** What other features show of the gamer. */ Details: ComponentType<GamerProps> };

export function GamerPanel({ gamerId, Details }: Detailed & { gamerId: GamerId }) {
  const query = useApi<AdminGamersResponse>([...gamersKey, { q: gamerId }], {
    refetchInterval: POLLED_EVERY_MS,
    refetchOnMount: 'always',
  });
  return (
    <QueryResult query={query} noun="gamer" rows={8}>
      {({ gamers }) => {
        const gamer = gamers.find(({ id }) => id === gamerId);
        if (gamer === undefined) return <p className="empty">No gamer has this address any more.</p>;
        return <Gamer gamer={gamer} Details={Details} />;
      }}
    </QueryResult>
  );
}

const Gamer = ({ gamer, Details }: GamerProps & Detailed) => (
  <>
    <PanelHead title={<h2>{gamer.gamerTag}</h2>}>{`${describeRole(gamer)}, ${gamer.email}`}</PanelHead>
    {gamer.sponsor && (
      <p>
        Sponsor: <GamerName gamerId={gamer.sponsor.id} gamerTag={gamer.sponsor.gamerTag} />
      </p>
    )}
    <Pairs
      className="figs num"
      rows={[
        ['Purchase balance', formatCents(gamer.purchaseBalance), 'fig'],
        ['Winnings', formatCents(gamer.currentWinnings), 'fig'],
        ['Depositor until', <DepositorUntil key="until" gamer={gamer} />, 'fig'],
      ]}
    />
    <Details gamer={gamer} />
  </>
);

/** "Operator: Money, Game" */
const describeRole = ({ role, powers }: AdminGamerRow): string =>
  [roleName(role), powers.map((power) => POWER_NAMES[power].title).join(', ')].filter(Boolean).join(': ');

const ROLES = ['gamer', 'auditor', 'operator'] as const;

export function RoleButtons({ gamer }: GamerProps) {
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
  const [version, setVersion] = useState<string | undefined>(versionOf(role, gamer.powers));
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
        const problem = await run(isOperator ? { role: wanted, powers: [...powers] } : { role: wanted }, done, version);
        // A second press, after the warning, saves these.
        setVersion(undefined);
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
