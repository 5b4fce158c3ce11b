import { type ReactNode, useState } from 'react';
import type { ActivityEntry } from '../../../../../contracts/http/people.js';
import { LIST_PAGE_SIZE } from '../../../../../contracts/limits.js';
import type { ShownColumn } from '../lists/data-table.js';
import { Listed } from '../lists/listed.js';
import { ServerTable } from '../lists/server-table.js';
import { useActivity, useActivitySync } from './activity.queries.js';
import { eventName } from './event-name.js';

const columns: ShownColumn<ActivityEntry>[] = [
  { label: 'When', kind: 'moment', value: (row) => row.at },
  { label: 'Who', kind: 'text', value: (row) => row.actorGamerTag, cell: (row) => <b>{row.actorGamerTag}</b> },
  { label: 'What', kind: 'text', value: (row) => eventName(row.type) },
  { label: 'Whom', kind: 'text', value: (row) => row.subjectGamerTag ?? row.subjectId },
  { label: 'Summary', kind: 'text', className: 'said', value: (row) => row.summary },
  { label: 'Reason', kind: 'text', value: (row) => row.reason },
  { label: 'Id', kind: 'text', value: (row) => row.id, exportOnly: true },
];

/** Everything an admin did, newest first, as the log has it. */
export function ActivityRoom({ title }: { title: ReactNode }) {
  useActivitySync();
  const [page, setPage] = useState(1);
  const query = useActivity(page);
  return (
    <>
      <div className="room-h">
        {title}
        {query.data && (
          <p className="t14 dim num">
            {query.data.total === 1 ? '1 entry' : `${query.data.total.toLocaleString('en-US')} entries`}
          </p>
        )}
      </div>
      <Listed query={query} what="activity log" rows={6}>
        {({ activity, total }) => (
          <ServerTable
            name="Activity log"
            columns={columns}
            rows={activity}
            empty="What an admin does will be listed here."
            page={page}
            pages={Math.ceil(total / LIST_PAGE_SIZE)}
            onPage={setPage}
          />
        )}
      </Listed>
    </>
  );
}
