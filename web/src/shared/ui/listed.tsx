import type { ReactNode } from 'react';
import { momentText } from '../format/time-text.js';
import { LoadFailure, Loading, Notice } from './notice.js';

interface Asked<Data> {
  data: Data | undefined;
  isPending: boolean;
  isError: boolean;
  isPlaceholderData: boolean;
  dataUpdatedAt: number;
  refetch: () => Promise<unknown>;
}

interface ListedProps<Data> {
  query: Asked<Data>;
  /** What is asked for, in the plural: "withdrawals". */
  what: string;
  rows?: number;
  children: (data: Data) => ReactNode;
}

/** Loading, failed, or here; and old news is called old when it could not be refreshed. */
export function Listed<Data>({ query, what, rows = 4, children }: ListedProps<Data>) {
  const { data, isPending, isError, isPlaceholderData, dataUpdatedAt, refetch } = query;
  if (isPending) return <Loading label={`Loading ${what}`} rows={rows} />;
  if (data === undefined)
    return <LoadFailure text={`The ${what} could not be loaded`} onRetry={() => void refetch()} />;
  return (
    <div className="grid gap-4" aria-busy={isPlaceholderData}>
      {isError && (
        <Notice tone="bad" title="This may be out of date">
          The {what} could not be refreshed; these are of {momentText(dataUpdatedAt)}.{' '}
          <button type="button" className="underline" onClick={() => void refetch()}>
            Try again
          </button>
        </Notice>
      )}
      {children(data)}
    </div>
  );
}
