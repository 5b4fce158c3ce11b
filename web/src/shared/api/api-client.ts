import { AFTER_POSITION, IDEMPOTENCY_KEY, POSITION } from '../../../../contracts/http/headers.js';
import { ApiError } from './api-error.js';
import { latestPosition, rememberPosition } from './log-position.js';

type QueryPart = string | number | Record<string, string | number>;
/** A query's key is its path: the parts joined with slashes, a last object being the query string. */
export type ApiKey = readonly [string, ...QueryPart[]];

export function pathOf(key: ApiKey): string {
  const last = key.at(-1);
  const search = typeof last === 'object' ? new URLSearchParams(Object.entries(last).map(([k, v]) => [k, `${v}`])) : '';
  const path = key.filter((part) => typeof part !== 'object').join('/');
  return `${path}${search === '' ? '' : `?${search}`}`;
}

async function call<T>(path: string, init: RequestInit): Promise<T> {
  const response = await fetch(path, { ...init, credentials: 'include' });
  rememberPosition(response.headers.get(POSITION));
  const text = await response.text();
  if (!response.ok) throw new ApiError(response.status, response.statusText, text);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** A query: never answers with a past that this page has already left. */
export function get<T>(key: ApiKey, signal?: AbortSignal): Promise<T> {
  const position = latestPosition();
  return call<T>(pathOf(key), {
    signal: signal ?? null,
    headers: position === null ? {} : { [AFTER_POSITION]: position },
  });
}

/** A command. `idempotencyKey` makes a repeat harmless; see useCommand. */
export function send<T>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  idempotencyKey?: string,
): Promise<T> {
  return call<T>(path, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { [IDEMPOTENCY_KEY]: idempotencyKey }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
}
