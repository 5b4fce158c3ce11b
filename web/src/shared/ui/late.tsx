import { type ComponentType, useEffect, useRef, useState } from 'react';
import { LoadFailure, Loading } from './notice.js';

/** A part of the page whose code is fetched when it is first shown. */
export interface LatePart<Props> {
  load: () => Promise<ComponentType<Props>>;
  /** What is loading, said to screen readers, and how many rows high it will be about. */
  label: string;
  rows: number;
  fetched: ComponentType<Props> | null;
}

export const latePart = <Props,>(
  load: () => Promise<ComponentType<Props>>,
  { label, rows }: { label: string; rows: number },
): LatePart<Props> => ({ load, label, rows, fetched: null });

/** Has it here before it is shown. A fetch that fails is tried again when it is. */
export function fetchAhead<Props>(part: LatePart<Props>): void {
  if (part.fetched !== null) return;
  part.load().then(
    (fetched) => {
      part.fetched = fetched;
    },
    () => undefined,
  );
}

/** A browser may remember that code failed to arrive for as long as the page lives: with the server there, a new page helps. */
async function reloadIfReachable(): Promise<void> {
  const answer = await fetch(window.location.pathname, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (answer?.ok) window.location.reload();
}

/**
 * Bars of its height until the part is here. A fetch that failed (a lost connection, a new release) can be tried again,
 * and takes nothing else down with it.
 */
export function Late<Props extends object>({ part, props }: { part: LatePart<Props>; props: Props }) {
  const [state, setState] = useState<'loading' | 'here' | 'failed'>(part.fetched === null ? 'loading' : 'here');
  const tries = useRef(0);
  useEffect(() => {
    if (state !== 'loading') return;
    let gone = false;
    part.load().then(
      (fetched) => {
        part.fetched = fetched;
        if (!gone) setState('here');
      },
      () => {
        if (gone) return;
        setState('failed');
        if (tries.current > 0) void reloadIfReachable();
        tries.current += 1;
      },
    );
    return () => {
      gone = true;
    };
  }, [part, state]);
  if (part.fetched !== null) return <part.fetched {...props} />;
  if (state !== 'failed') return <Loading label={part.label} rows={part.rows} />;
  return <LoadFailure text="This part of the page could not be loaded" onRetry={() => setState('loading')} />;
}
