import * as http from '../../../../contracts/http/headers.js';
import type { RefusalCode } from '../../../../contracts/refusals.js';

type QueryPart = string | number | Record<string, string | number>;
/** A query's key is its path: the parts joined with slashes. A last object becomes the query string. */
export type ApiKey = readonly [string, ...QueryPart[]];

export function pathOf(key: ApiKey): string {
  const last = key.at(-1);
  const search = typeof last === 'object' ? new URLSearchParams(Object.entries(last).map(([k, v]) => [k, `${v}`])) : '';
  const path = key.filter((part) => typeof part !== 'object').join('/');
  return `${path}${search === '' ? '' : `?${search}`}`;
}

async function call<T>(path: string, init: RequestInit, after: string | null = null): Promise<T> {
  const response = await fetch(path, { ...init, credentials: 'include' });
  const gamer = response.headers.get(http.GAMER);
  const shown = page.gamer();
  if (gamer !== null && shown !== undefined && gamer !== (shown ?? 'none')) page.onOtherGamer();
  const position = response.headers.get(http.POSITION);
  rememberPosition(position);
  if (after !== null) {
    if (position !== null) page.noteAge(path, laterPosition(position, after) !== position);
    // 429 and 5xx say nothing about the age.
    else if (response.status < 500 && response.status !== 429) page.noteAge(path, false);
  }
  const text = await response.text();
  if (!response.ok) throw new ApiError(response.status, response.statusText, text);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** Sends a query. The server waits up to two seconds for its tables to reach the log position that this page knows. */
export function get<T>(key: ApiKey, signal?: AbortSignal): Promise<T> {
  const headers: HeadersInit = latestPosition === null ? {} : { [http.AFTER_POSITION]: latestPosition };
  return call<T>(pathOf(key), { signal: signal ?? null, headers }, latestPosition);
}

interface SendOptions {
  idempotencyKey?: string;
  signal?: AbortSignal | undefined;
  intent?: string | undefined;
  version?: string | undefined;
}

/** Sends a command. A command that needs a step-up asks for it and is sent again. */
export async function send<T>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  { idempotencyKey, signal, intent, version }: SendOptions = {},
): Promise<T> {
  const gamer = page.gamer();
  const init: RequestInit = {
    method,
    signal: signal ?? null,
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(gamer && { [http.GAMER]: gamer }),
      ...(version && { [http.VERSION]: version }),
      ...(idempotencyKey === undefined ? {} : { [http.IDEMPOTENCY_KEY]: idempotencyKey }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  };
  try {
    return await call<T>(path, init);
  } catch (error) {
    if (codeOf(error) !== 'step-up-required' || !(await page.askForStepUp?.(intent))) throw error;
    return call<T>(path, init);
  }
}

/** Functions of the rest of the page that requests call; each is set by the module that implements it. */
export const page = {
  /** Whom the page shows; null for a visitor, undefined while that is not known. */
  gamer: (): string | null | undefined => undefined,
  onOtherGamer: (): void => {},
  /** Learns of each query's response whether it was stale: older than the position that the page knew. */
  noteAge: (_path: string, _isStale: boolean): void => {},
  /** Asks a staff member to confirm who they are; resolves with false when they do not. */
  askForStepUp: null as ((intent?: string) => Promise<boolean>) | null,
};

/** The later of two log positions, which are decimal strings of up to 64 bits. Any other text is ignored. */
export function laterPosition(known: string | null, other: string | null | undefined): string | null {
  if (typeof other !== 'string' || !/^\d{1,20}$/.test(other)) return known;
  return known === null || BigInt(other) > BigInt(known) ? other : known;
}

let latestPosition: string | null = null;

/** Command responses and live messages carry log positions. Later queries must not answer with an older state. */
export function rememberPosition(position: string | null | undefined): void {
  latestPosition = laterPosition(latestPosition, position);
}

/** A failed call. `message` is the specification's: the status, a colon, and the body (the status text when it is empty). */
export class ApiError extends Error {
  /** The server's sentence and code; null when the body is not the server's, such as a proxy's page. */
  readonly refusal: http.ErrorBody | null;

  constructor(
    readonly status: number,
    statusText: string,
    body: string,
  ) {
    super(`${status}: ${body === '' ? statusText : body}`);
    this.name = 'ApiError';
    this.refusal = refusalIn(body);
  }
}

function refusalIn(body: string): http.ErrorBody | null {
  try {
    const parsed: Partial<http.ErrorBody> | null = JSON.parse(body);
    return typeof parsed?.error === 'string' && parsed.error !== '' ? (parsed as http.ErrorBody) : null;
  } catch {
    return null;
  }
}

export const reasonOf = (error: unknown, fallback: string): string =>
  (error instanceof ApiError && error.refusal?.error) || fallback;

export const codeOf = (error: unknown): RefusalCode | null =>
  (error instanceof ApiError && error.refusal?.code) || null;

/** True when the server may have carried out the command: a retry must send the same idempotency key. */
export const outcomeUnknown = (error: unknown): boolean => !(error instanceof ApiError) || error.status >= 500;
