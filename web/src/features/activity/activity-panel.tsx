import { useQueryClient } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import {
  ACTIVITY_TOPICS,
  type ActivityEntry,
  type ActivityResponse,
  type ActivityTopic,
} from '../../../../contracts/http/activity.js';
import { LIST_PAGE_SIZE } from '../../../../contracts/limits.js';
import { numberText } from '../../shared/format.js';
import { dateTime, idColumn, type TableColumn, text } from '../../shared/lists/data-table.js';
import { usePagedRows } from '../../shared/lists/list-queries.js';
import { PagedTable } from '../../shared/lists/list-table.js';
import { PanelHead } from '../../shared/ui/admin-parts.js';
import { SelectField } from '../../shared/ui/controls.js';

const columns: TableColumn<ActivityEntry>[] = [
  dateTime('When', (row) => row.at),
  text('Who', (row) => row.actorGamerTag, { cell: (row) => <b>{row.actorGamerTag}</b> }),
  text('What', (row) => eventName(row.type)),
  text('Whom', (row) => row.subjectGamerTag ?? row.subjectId),
  text('Summary', (row) => row.summary, {
    className: 'said',
    // One element, because a folded row would spread several over its width.
    cell: (row) => (
      <span>
        <ArrowsAsIcons text={row.summary} />
      </span>
    ),
  }),
  text('Reason', (row) => row.reason),
  idColumn,
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

/** Draws arrows as icons, because some fonts lack the character and some screen readers skip it. */
function ArrowsAsIcons({ text }: { text: string }): ReactNode {
  const at = text.indexOf(' → ');
  if (at === -1) return text;
  return (
    <>
      {text.slice(0, at)} <ArrowRight size={14} className="inline" role="img" aria-label="to" />{' '}
      <ArrowsAsIcons text={text.slice(at + 3)} />
    </>
  );
}

const activityKey = ['/api', 'admin', 'activity'] as const;

export function ActivityPanel({ title }: { title: ReactNode }) {
  const client = useQueryClient();
  useEffect(
    () =>
      client.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'success')
          void client.invalidateQueries({ queryKey: activityKey });
      }),
    [client],
  );
  const [about, setAbout] = useState('');
  const filter: Record<string, string> = about === '' ? {} : { about };
  const list = usePagedRows(activityKey, filter, ({ activity }: ActivityResponse) => activity, {
    pageSize: LIST_PAGE_SIZE,
  });
  const total = list.query.data?.total;
  return (
    <>
      <PanelHead title={title}>
        {total !== undefined && (total === 1 ? '1 entry' : `${numberText(total)} entries`)}
      </PanelHead>
      <PagedTable
        list={list}
        name="Activity log"
        loadingRows={6}
        columns={columns}
        tool={<SelectField label="About" value={about} options={topics} onChange={setAbout} />}
        empty={about === '' ? 'The admin’s actions will be listed here.' : 'There is no action of this kind yet.'}
      />
    </>
  );
}

function eventName(type: string): string {
  const words = type.replace(/([a-z0-9])([A-Z])/g, '$1 $2').split(' ');
  return words.map((word, i) => (i === 0 ? word : word.toLowerCase())).join(' ');
}
