import type { ReactNode } from 'react';
import type * as http from '../../../../contracts/http/protection.js';
import type { NamedGamer } from '../../../../contracts/ids.js';
import { describeExclusion, limitsText } from '../../../../contracts/refusals.js';
import { useApi } from '../../shared/api/api-client.js';
import { column, GamerName, type TableColumn } from '../../shared/lists/data-table.js';
import { PagedTable, usePagedRows } from '../../shared/lists/list-table.js';
import { PanelHead } from '../../shared/ui/admin-parts.js';
import { Notice } from '../../shared/ui/notice.js';
import { QueryResult } from '../../shared/ui/query-result.js';

const gamerColumn = column.text<Pick<http.ExcludedGamer, 'id' | 'gamerTag'>>('Gamer', (row) => row.gamerTag, {
  isKey: true,
  cell: ({ id, gamerTag }) => <GamerName gamerTag={gamerTag} gamerId={id} />,
});

const excludedColumns: TableColumn<http.ExcludedGamer>[] = [
  gamerColumn,
  column.text('Kind', ({ kind }) => (kind === 'time-out' ? 'Time-out' : 'Self-exclusion')),
  column.dateTime('Until', (row) => row.untilMs),
  column.id,
];

const limitedColumns: TableColumn<http.LimitedGamer>[] = [
  gamerColumn,
  column.text('Own limits', (row) => limitsText(row.limits), { className: 'said' }),
  column.text('Wanted', (row) => row.higher && limitsText(row.higher.limits), { className: 'said' }),
  column.id,
];

const OBLIGED = ' Gamers must choose limits of their own before they deposit or buy.';

/** The gamers' limits and exclusions, which only they change, and the operator's profile, which a setting changes. */
export function ProtectionPanel({ title }: { title: ReactNode }) {
  const excluded = usePagedRows(
    ['/api', 'admin', 'exclusions'],
    (response: http.ExclusionsResponse) => response.exclusions,
  );
  const limited = usePagedRows(['/api', 'admin', 'limits'], (response: http.LimitsResponse) => response.limited);
  const { data } = limited.query;
  return (
    <>
      <PanelHead title={title}>Only the gamers change their limits and exclusions.</PanelHead>
      {data && (
        <Notice
          tone="plain"
          title={`The operator’s profile is ${data.profile.profile}.`}
          text={`Limits for every gamer: ${limitsText(data.profile.limits)}.${data.profile.mustChooseLimits ? OBLIGED : ''}`}
        />
      )}
      <h3>Time-outs and self-exclusions</h3>
      <PagedTable
        list={excluded}
        name="Exclusions"
        tool={null}
        columns={excludedColumns}
        empty="Nobody is in a time-out or self-excluded."
      />
      <h3>Limits of gamers</h3>
      <PagedTable list={limited} name="Limits" tool={null} columns={limitedColumns} empty="Nobody has set a limit." />
    </>
  );
}

/** One gamer's limits and exclusion, in a sentence. */
export function GamerLimits({ gamer: { id, gamerTag } }: { gamer: NamedGamer }) {
  const query = useApi<http.ProtectionResponse>(['/api', 'gamer', id, 'protection'], { refetchOnMount: 'always' });
  return (
    <QueryResult query={query} noun="limits" rows={1}>
      {({ exclusion, limits }) => (
        <p>
          {exclusion && <b>{`${gamerTag} is ${describeExclusion(exclusion)}. `}</b>}
          {`Own limits: ${limitsText(limits)}.`}
        </p>
      )}
    </QueryResult>
  );
}
