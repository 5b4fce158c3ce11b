import { type ComponentType, type ReactNode, lazy as reactLazy, Suspense } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { lazyImport } from '../lazy-import.js';
import { LoadFailure, Loading } from './notice.js';

type Code<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** A component whose code is fetched when it first renders. While "Loading `what`" is shown, it is `rows` high; without `what`, nothing is shown. */
export const lazy = <Props extends object>(load: Code<Props>, what?: string, rows?: number) =>
  lazyPart(load, what ? <Loading label={`Loading ${what}`} rows={rows} /> : null, PartFailure);

const PartFailure = ({ onRetry }: { onRetry: () => void }) => (
  <LoadFailure text="This part of the page could not be loaded" onRetry={onRetry} />
);

/** As `lazy`, with content of its own until the code is fetched and after a failure. */
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
  return (props: Props) => (
    <ErrorBoundary
      onError={renew}
      fallbackRender={({ resetErrorBoundary }) => <Failure {...props} onRetry={resetErrorBoundary} />}
    >
      <Suspense fallback={loading}>
        <Current {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}
