import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { LoadFailure, Loading } from './notice.js';

type Loaded<Props> = { room: ComponentType<Props> } | 'loading' | 'failed';

/**
 * A part of the page whose code is fetched when it is first shown. Until then bars of about its height stand there; a
 * fetch that failed (a lost connection, a new release) can be tried again and takes nothing else down with it.
 */
export function late<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { label, rows }: { label: string; rows: number },
): (props: Props) => ReactNode {
  let known: ComponentType<Props> | null = null;
  return function Late(props: Props) {
    const [loaded, setLoaded] = useState<Loaded<Props>>(known === null ? 'loading' : { room: known });
    useEffect(() => {
      if (loaded !== 'loading') return;
      let gone = false;
      load().then(
        (room) => {
          known = room;
          if (!gone) setLoaded({ room });
        },
        () => {
          if (!gone) setLoaded('failed');
        },
      );
      return () => {
        gone = true;
      };
    }, [loaded]);
    if (loaded === 'loading') return <Loading label={label} rows={rows} />;
    if (loaded === 'failed')
      return <LoadFailure text="This part of the page could not be loaded" onRetry={() => setLoaded('loading')} />;
    const { room: Room } = loaded;
    return <Room {...props} />;
  };
}
