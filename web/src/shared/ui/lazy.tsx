import { CatchBoundary } from '@tanstack/react-router';
import { type ComponentType, createContext, type ReactNode, lazy as reactLazy, Suspense, useContext } from 'react';
import { lazyImport } from '../lazy-import.js';
import { LoadFailure, Loading } from './notice.js';

type Code<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** A component whose code is fetched when it first renders. While "Loading `what`" is shown, it is `rows` high; without `what`, nothing is shown. */
export const lazy = <Props extends object>(load: Code<Props>, what?: string, rows?: number) =>
  lazyPart(load, what ? <Loading label={`Loading ${what}`} rows={rows} /> : null, PartFailure);

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
  const Shown = createContext({} as Props);
  // One component for all renders: another one would lose its focus and state.
  const Failed = ({ reset }: { reset: () => void }) => <Failure {...useContext(Shown)} onRetry={reset} />;
  return (props: Props) => (
    <Shown value={props}>
      <CatchBoundary getResetKey={() => 0} onCatch={renew} errorComponent={Failed}>
        <Suspense fallback={loading}>
          <Current {...props} />
        </Suspense>
      </CatchBoundary>
    </Shown>
  );
}
