import { type ComponentType, useEffect, useState } from 'react';
import { fetchedOnce } from '../fetched-once.js';
import { LoadFailure, Loading } from './notice.js';

interface LazyPart<Props> {
  /** Fetches the code. A call after a failure tries again. */
  preload: () => Promise<void>;
  component: () => ComponentType<Props> | null;
  what: string;
  rows: number;
}

/**
 * A component whose code is fetched when it first renders, or before that with `preload`. It shows placeholder bars until
 * then. A fetch that fails (a lost connection, a new release) affects this part of the page only and can be retried.
 *
 * @param what what it shows: screen readers hear "Loading …"
 * @param rows the expected height
 */
export function lazy<Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
  what: string,
  rows: number,
) {
  const code = fetchedOnce(load);
  const preload = async () => {
    await code.fetch();
  };
  const part: LazyPart<Props> = { preload, component: () => code.get()?.[name] ?? null, what, rows };
  return Object.assign((props: Props) => <Fetched part={part} props={props} />, { preload });
}

function Fetched<Props extends object>({ part, props }: { part: LazyPart<Props>; props: Props }) {
  const Component = part.component();
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>(Component === null ? 'loading' : 'ready');
  useEffect(() => {
    if (state !== 'loading') return;
    let unmounted = false;
    part.preload().then(
      () => !unmounted && setState('ready'),
      () => !unmounted && setState('failed'),
    );
    return () => {
      unmounted = true;
    };
  }, [part, state]);
  if (Component !== null) return <Component {...props} />;
  if (state !== 'failed') return <Loading label={`Loading ${part.what}`} rows={part.rows} />;
  return <LoadFailure text="This part of the page could not be loaded" onRetry={() => setState('loading')} />;
}
