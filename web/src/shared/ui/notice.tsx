import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';
import { Check, CircleAlert, CircleDashed, Clock } from 'lucide-react';
import type { ReactNode } from 'react';
import { dateTimeText, range } from '../format.js';
import { Button } from './controls.js';

/** Icons by tone, which is also the class `note--…` in styles/notices.css. */
const icons = { plain: Check, missing: CircleDashed, time: Clock, bad: CircleAlert };

interface NoticeProps {
  tone: keyof typeof icons;
  title?: string;
  text?: ReactNode;
  urgent?: boolean;
}

export function Notice({ tone, title, text, urgent = false }: NoticeProps) {
  const Icon = icons[tone];
  return (
    <div className={`note note--${tone}`} role={urgent ? 'alert' : undefined}>
      <Icon size={18} aria-hidden="true" />
      <span>
        {title !== undefined && <b>{title}</b>}
        {title !== undefined && text ? <br /> : null}
        {text && <span>{text}</span>}
      </span>
    </div>
  );
}

export const LoadFailure = ({ text, onRetry }: { text: string; onRetry: () => unknown }) => (
  <div className="grid justify-items-start gap-4 py-4">
    <Notice tone="bad" title={text} urgent />
    <Button kind="line sm" text="Try again" onClick={() => void onRetry()} />
  </div>
);

export function Loading({ label, rows = 3 }: { label: string; rows?: number }) {
  const widths = ['w-[70%]', 'w-[52%]', 'w-[63%]'];
  return (
    <div role="status" aria-label={label}>
      {range(1, rows).map((row) => (
        <div key={row} className="flex min-h-13 items-center">
          <div className={`skel ${widths[row % widths.length]}`} />
        </div>
      ))}
    </div>
  );
}

type MissingDataProps = Pick<UseQueryResult, 'isPending' | 'refetch'> & { noun: string; rows: number };

/** Stands in for a query's data. @param noun names the data: "your limits" */
export function MissingData({ isPending, refetch, noun, rows }: MissingDataProps) {
  if (isPending) return <Loading label={`Loading ${noun}`} rows={rows} />;
  return <LoadFailure text={`${noun[0]?.toUpperCase()}${noun.slice(1)} could not be loaded`} onRetry={refetch} />;
}

/** Properties of a scrolling region. The keyboard must reach it even when it holds no control (WCAG 2.1.1). */
export const scrollable = (label: string) => ({ role: 'region', tabIndex: 0, 'aria-label': label });

interface QueryResultProps<Data> {
  query: UseQueryResult<Data>;
  /** Names the data in the plural: "withdrawals". */
  noun: string;
  rows?: number;
  children: (data: Data) => ReactNode;
}

/** Renders a query's data, or says that it loads or failed. Data that could not be refreshed is marked as out of date. */
export function QueryResult<Data>({ query, noun, rows = 4, children }: QueryResultProps<Data>) {
  const { data, isPending, isError, isPlaceholderData, dataUpdatedAt, refetch } = query;
  if (isPending) return <Loading label={`Loading ${noun}`} rows={rows} />;
  if (data === undefined) return <LoadFailure text={`The ${noun} could not be loaded`} onRetry={refetch} />;
  return (
    <div className="grid gap-4" aria-busy={isPlaceholderData}>
      {isError && (
        <Notice
          tone="bad"
          title="This may be out of date"
          text={
            <>
              <span>{`The ${noun} could not be refreshed. They were last loaded ${dateTimeText(dataUpdatedAt)}.`}</span>{' '}
              <Button className="underline" text="Try again" onClick={() => void refetch()} />
            </>
          }
        />
      )}
      {children(data)}
    </div>
  );
}

interface TableProps {
  caption: string;
  columns: readonly string[];
  /** How many of the last columns are right-aligned, such as amounts. */
  right?: number;
  className?: string;
  headClass?: string;
  foot?: ReactNode;
  children: ReactNode;
}

export const Table = ({ caption, columns, right = 0, children, ...props }: TableProps) => (
  <table className={props.className ?? 'tbl tbl--brief'}>
    <caption className="sr">{caption}</caption>
    <thead className={props.headClass}>
      <tr>
        {columns.map((column, index) => (
          <th key={column} scope="col" className={index >= columns.length - right ? 'r' : undefined}>
            {column}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
    {props.foot && <tfoot>{props.foot}</tfoot>}
  </table>
);

interface ShowOlderProps {
  query: Pick<UseInfiniteQueryResult, 'isError' | 'hasNextPage' | 'isFetchingNextPage'> & {
    fetchNextPage: () => unknown;
  };
  text: string;
  failure: string;
}

export function ShowOlder({ query, text, failure }: ShowOlderProps) {
  const { isError, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  if (isError) return <LoadFailure text={failure} onRetry={fetchNextPage} />;
  if (!hasNextPage) return null;
  return (
    <div className="actions">
      <Button kind="line sm" text={text} busy={isFetchingNextPage && 'Loading…'} onClick={() => void fetchNextPage()} />
    </div>
  );
}
