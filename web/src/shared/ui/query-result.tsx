import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { dateTimeText, range } from '../format.js';
import { Button } from './controls.js';
import { Notice } from './notice.js';

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

type LoadingOrFailureProps = Pick<UseQueryResult, 'isPending' | 'refetch'> & { noun: string; rows: number };

/** In place of the data of a query that says itself when it is out of date. @param noun "the statement" */
export function LoadingOrFailure({ isPending, refetch, noun, rows }: LoadingOrFailureProps) {
  if (isPending) return <Loading label={`Loading ${noun}`} rows={rows} />;
  return <LoadFailure text={`${capitalized(noun)} could not be loaded`} onRetry={refetch} />;
}

const capitalized = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}`;

interface QueryResultProps<Data> {
  query: UseQueryResult<Data>;
  /** Names the data: "withdrawals", "your limits". */
  noun: string;
  rows?: number;
  children: (data: Data) => ReactNode;
}

/** A query's data, or that it is loading or failed. Data that could not be refreshed is marked as out of date. */
export function QueryResult<Data>({ query, noun, rows = 4, children }: QueryResultProps<Data>) {
  const { data, isPending, isError, isPlaceholderData, dataUpdatedAt, refetch } = query;
  if (isPending) return <Loading label={`Loading ${noun}`} rows={rows} />;
  const subject = /^(the|your) /.test(noun) ? capitalized(noun) : `The ${noun}`;
  if (data === undefined) return <LoadFailure text={`${subject} could not be loaded`} onRetry={refetch} />;
  return (
    <div className="grid grid-cols-1 gap-4" aria-busy={isPlaceholderData}>
      {isError && (
        <Notice
          tone="bad"
          title="This may be out of date"
          text={
            <>
              <span>{`${subject} could not be refreshed. What you see was last loaded ${dateTimeText(dataUpdatedAt)}.`}</span>{' '}
              <Button className="underline" text="Try again" onClick={() => void refetch()} />
            </>
          }
        />
      )}
      {children(data)}
    </div>
  );
}
