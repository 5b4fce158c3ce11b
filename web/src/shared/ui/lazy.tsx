import { CatchBoundary } from '@tanstack/react-router';
import { type ComponentType, createContext, type ReactNode, lazy as reactLazy, Suspense, useContext } from 'react';
import { storedText, storeText } from '../store.js';
import { LoadFailure, Loading } from './query-result.js';

type Code<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** A component whose code is fetched when it first renders. Meanwhile it shows "Loading `noun`", `rows` high; nothing without a noun. */
export const lazy = <Props extends object>(load: Code<Props>, noun?: string, rows?: number) =>
  lazyPart(load, noun ? <Loading label={`Loading ${noun}`} rows={rows} /> : null, PartFailure);

const PartFailure = ({ onRetry }: { onRetry: () => void }) => (
  <LoadFailure text="This part of the page could not be loaded" onRetry={onRetry} />
);

/** Works as `lazy` does, with content of its own until the code is fetched and after a failure. */
export function lazyPart<Props extends object>(
  load: Code<Props>,
  loading: ReactNode,
  Failure: ComponentType<Props & { onRetry: () => void }>,
) {
  const fetchCode = lazyImport(load as Code<object>);
  let isFailed = false;
  const part = () =>
    reactLazy(() =>
      fetchCode().catch((error) => {
        isFailed = true;
        throw error;
      }),
    );
  let Part = part();
  // React keeps the failure of a lazy component, so the next render gets another one.
  const renew = () => {
    if (isFailed) Part = part();
    isFailed = false;
  };
  const Current = (props: object) => <Part {...props} />;
  const PartProps = createContext({} as Props);
  // One component for all renders: another one would lose its focus and state.
  const PartFailed = ({ reset }: { reset: () => void }) => <Failure {...useContext(PartProps)} onRetry={reset} />;
  return (props: Props) => (
    <PartProps value={props}>
      <CatchBoundary getResetKey={() => 0} onCatch={renew} errorComponent={PartFailed}>
        <Suspense fallback={loading}>
          <Current {...props} />
        </Suspense>
      </CatchBoundary>
    </PartProps>
  );
}

/** Returns a loader, for code that is no component too. Its second failure reloads the page if the server responds: a browser may remember a failed import. */
export function lazyImport<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let failures = 0;
  return () =>
    load().catch((error: unknown) => {
      failures += 1;
      if (failures > 1) void reloadIfReachable();
      throw error;
    });
}

const RELOADED_AT = 'reloaded-at';
const RELOADS_APART_MS = 60_000;

/** Reloads at most once a minute, because code that never arrives would otherwise reload the page for ever. */
async function reloadIfReachable(): Promise<void> {
  if (Date.now() - Number(storedText(RELOADED_AT, 'session')) < RELOADS_APART_MS) return;
  const response = await fetch(window.location.pathname, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (!response?.ok) return;
  storeText(RELOADED_AT, `${Date.now()}`, 'session');
  window.location.reload();
}
