/** A failed call. `message` is the specification's: the status, a colon, and the body (the status text when it is empty). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    statusText: string,
    readonly body: string,
  ) {
    super(`${status}: ${body === '' ? statusText : body}`);
    this.name = 'ApiError';
  }

  /** The sentence the server wrote for a person, or null when its body is none of ours. */
  get reason(): string | null {
    try {
      const parsed: unknown = JSON.parse(this.body);
      if (typeof parsed !== 'object' || parsed === null || !('error' in parsed)) return null;
      return typeof parsed.error === 'string' && parsed.error !== '' ? parsed.error : null;
    } catch {
      return null;
    }
  }
}

/** What to tell a person: the server's own sentence where there is one, else `fallback`. */
export function reasonOf(error: unknown, fallback: string): string {
  return error instanceof ApiError ? (error.reason ?? fallback) : fallback;
}

/** True when the server may have carried the command out all the same: a repeat must use the same key. */
export function outcomeUnknown(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status >= 500;
}
