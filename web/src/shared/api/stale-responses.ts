interface Dependencies {
  /** Sends the query of a path again; its response comes back through `noteResponse`. */
  request(path: string): Promise<unknown>;
  /** Fetches the page's queries again. Never rejects: each query keeps its own error. */
  refetch(): Promise<unknown>;
  sleep(timeoutMs: number): Promise<void>;
}

const FIRST_PAUSE_MS = 1_000;
/** A read model that is rebuilt is stale for minutes. */
const LONGEST_PAUSE_MS = 30_000;

/** Requests stale paths again after growing pauses, and has the page fetched again when one has caught up. */
export function staleResponses({ request, refetch, sleep }: Dependencies) {
  const paths = new Set<string>();
  let isFollowing = false;

  async function follow(): Promise<void> {
    isFollowing = true;
    for (let pauseMs = FIRST_PAUSE_MS; paths.size > 0; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      await sleep(pauseMs);
      const stale = [...paths];
      await Promise.allSettled(stale.map(request));
      if (stale.some((path) => !paths.has(path))) await refetch();
    }
    isFollowing = false;
  }

  return {
    noteResponse(path: string, isStale: boolean): void {
      if (isStale) paths.add(path);
      else paths.delete(path);
      if (isStale && !isFollowing) void follow();
    },
  };
}
