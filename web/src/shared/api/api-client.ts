import { type UseQueryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import * as http from '../../../../contracts/http/headers.js';
import type { RefusalCode } from '../../../../contracts/refusals.js';
import { sleep } from '../clock.js';
import { onPageEvent, type PageEventName } from '../live/live-events.js';
import { type ToastContent, toast, toastProblem } from '../ui/toasts.js';

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
  const shownId = requestCallbacks.shownGamerId();
  if (gamer !== null && shownId !== undefined && gamer !== (shownId ?? 'none')) requestCallbacks.onOtherGamer();
  const position = response.headers.get(http.POSITION);
  rememberPosition(position);
  if (after !== null) {
    if (position !== null) requestCallbacks.onFreshness(path, laterPosition(position, after) !== position);
    // 429 and 5xx do not say whether the tables are stale.
    else if (response.status < 500 && response.status !== 429) requestCallbacks.onFreshness(path, false);
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
  timeoutMs?: number;
  intent?: string | undefined;
  version?: string | undefined;
}

/** Sends a command. A command that needs a step-up asks for it and is sent again. */
export async function send<T>(
  method: Command['method'],
  path: string,
  body?: unknown,
  { idempotencyKey, timeoutMs, intent, version }: SendOptions = {},
): Promise<T> {
  const gamer = requestCallbacks.shownGamerId();
  const init: RequestInit = {
    method,
    signal: timeoutMs === undefined ? null : AbortSignal.timeout(timeoutMs),
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
    if (codeOf(error) !== 'step-up-required' || !(await requestCallbacks.askForStepUp?.(intent))) throw error;
    return call<T>(path, init);
  }
}

/** Functions that requests call; the module that implements one sets it. */
export const requestCallbacks = {
  /** The id of the gamer who is logged in on this page; null for a visitor, undefined while it is not known. */
  shownGamerId: (): string | null | undefined => undefined,
  onOtherGamer: (): void => {},
  /** Called with each query's response; a stale one is older than the position that the page knew. */
  onFreshness: (_path: string, _isStale: boolean): void => {},
  /** Asks a staff member for a proof of identity; resolves with false without one. */
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
export const isOutcomeUnknown = (error: unknown): boolean => !(error instanceof ApiError) || error.status >= 500;

type QueryOptions<Result> = Pick<
  UseQueryOptions<Result>,
  'enabled' | 'refetchInterval' | 'refetchOnMount' | 'placeholderData' | 'staleTime'
>;

export function useApi<Result>(
  queryKey: ApiKey,
  { refreshOn = [], ...options }: QueryOptions<Result> & { refreshOn?: readonly PageEventName[] } = {},
) {
  useRefreshOn(queryKey, ...refreshOn);
  return useQuery<Result>({ queryKey, queryFn: ({ signal }) => get<Result>(queryKey, signal), ...options });
}

/** In a busy round an event may arrive many times a second; refetches are at least this far apart. */
const REFRESH_GAP_MS = 1_000;

/** Refetches a query on live events: at once, then at most once a second. The last event always causes a refetch. */
export function useRefreshOn(queryKey: ApiKey, ...events: PageEventName[]): void {
  const client = useQueryClient();
  const key = JSON.stringify(queryKey);
  const names = JSON.stringify(events);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let refetchedAtMonotonicMs = Number.NEGATIVE_INFINITY;
    const refetch = () => {
      timer = undefined;
      refetchedAtMonotonicMs = performance.now();
      void client.invalidateQueries({ queryKey: JSON.parse(key) as ApiKey });
    };
    const plan = () => {
      timer ??= setTimeout(refetch, Math.max(0, refetchedAtMonotonicMs + REFRESH_GAP_MS - performance.now()));
    };
    const stops = (JSON.parse(names) as PageEventName[]).map((name) => onPageEvent(name, plan));
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [client, names, key]);
}

export interface Command extends Omit<SendOptions, 'idempotencyKey'> {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
}

/** How long a `retried` command with an unknown outcome is sent again (decision 54). */
const RETRY_MS = 30_000;
/** Pauses between the attempts. The last one is used again and again. */
const PAUSES_MS = [500, 1_000, 2_000, 3_000];

/** Idempotent: a command of unknown outcome keeps its key, and the next command of the same name (below) resends it. */
export function commandSender(send: (command: Command, idempotencyKey: string) => Promise<unknown>) {
  const unsettled = new Map<string, { command: Command; key: string }>();
  /** A double click sends one command, and both clicks get its response. */
  const inFlight = new Map<string, Promise<unknown>>();

  async function attempt(name: string, command: Command, retryMs: number): Promise<unknown> {
    const sent = unsettled.get(name) ?? { command, key: randomKey() };
    unsettled.set(name, sent);
    const deadlineMonotonicMs = performance.now() + retryMs;
    for (let failures = 0; ; failures += 1) {
      try {
        const response = await send(sent.command, sent.key);
        unsettled.delete(name);
        return response;
      } catch (error) {
        const isUnknown = isOutcomeUnknown(error);
        if (!isUnknown) unsettled.delete(name);
        const pauseMs = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] as number;
        if (!isUnknown || performance.now() + pauseMs > deadlineMonotonicMs) throw error;
        await sleep(pauseMs);
      }
    }
  }

  return function sendCommand(command: Command, retried: boolean): Promise<unknown> {
    const name = `${command.method} ${command.path}${retried ? '' : ` ${JSON.stringify(command.body)}`}`;
    const retryMs = retried ? RETRY_MS : 0;
    const running = inFlight.get(name) ?? attempt(name, command, retryMs).finally(() => inFlight.delete(name));
    inFlight.set(name, running);
    return running;
  };
}

const KEY_BYTES = 16;

/** 32 random hexadecimal digits. randomUUID does not exist on pages served by http from a home network's address. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** A retried command without a response after this time is sent again. The api needs at most `COMMAND_TIMEOUT_MS`. */
const RESPONSE_TIMEOUT_MS = 10_000;

/** One for the whole page, so that a dialog that is closed after a lost response and opened again retries with its key. */
export const sendCommand = commandSender(({ method, path, body, ...options }, idempotencyKey) =>
  send(method, path, body, { ...options, idempotencyKey }),
);

interface CommandOptions<Result, Input> {
  retried?: boolean;
  /** Completes "You want to …" when the command needs a step-up, and "Failed to …". */
  intent?: string;
  failureTitle?: string;
  failureText?: string;
  /** Keys of queries outside the path's area that the command changes too. */
  reloads?: readonly ApiKey[];
  onSuccess?: (response: Result, input: Input) => unknown;
}

/**
 * Returns `send` and `run` for a command. Afterwards the queries of the path's area, such as `/api/admin`, are refetched, also
 * after a refusal, because the page may be out of date; `isBusy` until then.
 */
export function useCommand<Input, Result = unknown>(
  method: Command['method'],
  path: string,
  options: CommandOptions<Result, Input> = {},
) {
  const { retried = false, intent, failureTitle = 'Update Failed', reloads = [], onSuccess } = options;
  const { failureText = intent ? `Failed to ${intent}` : 'Please try again.' } = options;
  const client = useQueryClient();
  const changed = [['/api', path.split('/')[2] ?? ''] as const, ...reloads];
  const { mutateAsync, isPending } = useMutation<Result, Error, { input: Input; version?: string | undefined }>({
    mutationKey: [method, path],
    mutationFn: ({ input: body, version }) => {
      const command = { method, path, body, version, intent, ...(retried && { timeoutMs: RESPONSE_TIMEOUT_MS }) };
      return sendCommand(command, retried) as Promise<Result>;
    },
    onSuccess: (response, { input }) => onSuccess?.(response, input),
    onSettled: () => Promise.all(changed.map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
  /**
   * Shows the outcome as a toast; returns the failure's text, or null. `done` is the whole toast, or its title above the response's message.
   * A `version` protects a record that changed since.
   */
  const run = async (
    input: Input,
    done: string | ToastContent | ((response: Result) => ToastContent),
    version?: string,
  ) => {
    try {
      const response = await mutateAsync({ input, version });
      const content = typeof done === 'function' ? done(response) : done;
      toast(
        typeof content === 'string' ? { title: content, text: (response as http.MessageResponse).message } : content,
      );
      return null;
    } catch (error) {
      return toastProblem(failureTitle, reasonOf(error, failureText));
    }
  };
  return { send: (input: Input) => mutateAsync({ input }), run, isBusy: isPending };
}
