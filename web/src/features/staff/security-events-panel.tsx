import { type ReactNode, useState } from 'react';
import type * as http from '../../../../contracts/http/staff.js';
import { QUERY_MAX_LENGTH, SECURITY_EVENTS_KEPT_DAYS } from '../../../../contracts/limits.js';
import { counted } from '../../shared/format.js';
import { column, GamerName, type TableColumn } from '../../shared/lists/data-table.js';
import { PagedTable, usePagedRows } from '../../shared/lists/list-table.js';
import { PanelHead } from '../../shared/ui/admin-parts.js';
import { Field } from '../../shared/ui/controls.js';
import { useDebounced } from '../../shared/ui/hooks.js';

const typeNames: Record<http.SecurityEventType, string> = {
  registered: 'Registered',
  'logged-in': 'Logged in',
  'login-failed': 'Wrong name or password',
  'code-required': 'Right password, no code yet',
  'code-failed': 'Right password, wrong code',
  'password-failed': 'Wrong current password',
  'step-up-failed': 'Step-up failed',
  'stepped-up': 'Stepped up',
  'second-factor-enrolled': 'Set up a second factor',
  'reset-requested': 'Asked for a reset link',
  'password-reset': 'Reset the password by a link',
  'password-changed': 'Changed the password',
  'password-set': 'Got a password from the admin',
  'email-changed': 'Changed the email',
  'role-changed': 'Got another role',
  recovered: 'Recovered on the server',
};

const columns: TableColumn<http.SecurityEvent>[] = [
  column.dateTime('When', (row) => row.atMs),
  column.text('Gamer', (row) => row.gamerTag ?? 'nobody of that name', {
    isKey: true,
    cell: (row) => (row.gamerTag === null ? <span className="dim">nobody of that name</span> : <GamerName {...row} />),
  }),
  column.text('What', (row) => typeNames[row.type]),
  column.text(
    'Details',
    ({ detail, actorGamerTag }) => [detail, actorGamerTag && `by ${actorGamerTag}`].filter(Boolean).join(', ') || null,
  ),
  column.text('Address', (row) => row.address, { cell: (row) => <span className="code">{row.address}</span> }),
];

export function SecurityEventsPanel({ title }: { title: ReactNode }) {
  const [typed, setTyped] = useState('');
  const q = useDebounced(typed.trim());
  const list = usePagedRows(['/api', 'admin', 'security-events'], ({ events }: http.SecurityEventsResponse) => events, {
    filter: q === '' ? {} : { q },
  });
  const total = list.query.data?.total;
  const search = { label: 'Search GamerTag or address', maxLength: QUERY_MAX_LENGTH, value: typed, onChange: setTyped };
  return (
    <>
      <PanelHead title={title}>
        {total !== undefined && `${counted(total, 'security event')} of the last ${SECURITY_EVENTS_KEPT_DAYS} days`}
      </PanelHead>
      <PagedTable
        list={list}
        name="Security events"
        columns={columns}
        tool={<Field type="search" {...search} />}
        empty="Nothing here fits."
      />
    </>
  );
}
