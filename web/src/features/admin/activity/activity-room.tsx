import { ArrowRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ACTIVITY_TOPICS, type ActivityEntry, type ActivityTopic } from '../../../../../contracts/http/people.js';
import { LIST_PAGE_SIZE } from '../../../../../contracts/limits.js';
import { Listed } from '../../../shared/ui/listed.js';
import { SelectField } from '../../../shared/ui/select-field.js';
import type { ShownColumn } from '../lists/data-table.js';
import { ServerTable } from '../lists/server-table.js';
import { type About, allActivity, useActivity, useActivitySync } from './activity.queries.js';
import { eventName } from './event-name.js';

const columns: ShownColumn<ActivityEntry>[] = [
  { label: 'When', kind: 'moment', value: (row) => row.at },
  { label: 'Who', kind: 'text', value: (row) => row.actorGamerTag, cell: (row) => <b>{row.actorGamerTag}</b> },
  { label: 'What', kind: 'text', value: (row) => eventName(row.type) },
  { label: 'Whom', kind: 'text', value: (row) => row.subjectGamerTag ?? row.subjectId },
  {
    label: 'Summary',
    kind: 'text',
    className: 'said',
    value: (row) => row.summary,
    // One element, for a folded row sets its parts apart.
    cell: (row) => (
      <span>
        <BeforeAfter text={row.summary} />
      </span>
    ),
  },
  { label: 'Reason', kind: 'text', value: (row) => row.reason },
  { label: 'Id', kind: 'text', value: (row) => row.id, exportOnly: true },
];

const topicNames: Record<ActivityTopic, string> = {
  game: 'The game and its timers',
  gamers: 'Gamers and their accounts',
  money: 'Money',
  support: 'Support tickets',
  community: 'Community posts',
};
const topics = [
  { value: '', text: 'Everything' },
  ...ACTIVITY_TOPICS.map((topic) => ({ value: topic, text: topicNames[topic] })),
];
const topicOf = (value: string): About => ACTIVITY_TOPICS.find((topic) => topic === value);

/** Arrows as pictures: not every typeface has the letter, and not every screen reader says it. */
function BeforeAfter({ text }: { text: string }): ReactNode {
  const at = text.indexOf(' → ');
  if (at === -1) return text;
  return (
    <>
      {text.slice(0, at)} <ArrowRight size={14} className="inline" role="img" aria-label="to" />{' '}
      <BeforeAfter text={text.slice(at + 3)} />
    </>
  );
}

/** Everything an admin did, newest first, as the log has it. */
export function ActivityRoom({ title }: { title: ReactNode }) {
  useActivitySync();
  const [about, setAbout] = useState<About>(undefined);
  const [page, setPage] = useState(1);
  const query = useActivity(about, page);
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
            allRows={() => allActivity(about)}
            tool={
              <SelectField
                label="About"
                value={about ?? ''}
                options={topics}
                onChange={(value) => {
                  setAbout(topicOf(value));
                  setPage(1);
                }}
              />
            }
            empty={about ? 'Nothing of that kind was done yet.' : 'What an admin does will be listed here.'}
            page={page}
            pages={Math.ceil(total / LIST_PAGE_SIZE)}
            onPage={setPage}
          />
        )}
      </Listed>
    </>
  );
}
