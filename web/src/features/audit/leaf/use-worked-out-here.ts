import { useEffect, useState } from 'react';
import { canHash } from '../sha256.js';

/**
 * A hash worked out in this browser; undefined while it is at it. Where a browser does not hash (a page without TLS), or
 * cannot make sense of what it got, null: then the server's word is all there is.
 *
 * @param of what it is worked out from: the same thing is worked out once
 */
export function useWorkedOutHere<Input>(of: Input, workOut: (of: Input) => Promise<string>): string | null | undefined {
  const [done, setDone] = useState<{ of: Input; hash: string | null } | null>(null);
  useEffect(() => {
    if (!canHash()) {
      setDone({ of, hash: null });
      return;
    }
    let gone = false;
    workOut(of).then(
      (hash) => !gone && setDone({ of, hash }),
      () => !gone && setDone({ of, hash: null }),
    );
    return () => {
      gone = true;
    };
  }, [of, workOut]);
  return done?.of === of ? done.hash : undefined;
}
