import { useEffect, useEffectEvent } from 'react';
import type { ServerToClient } from '../../../../contracts/live.js';
import { createStore, useStore } from '../store.js';

/** `connecting` shows nothing on screen. `silent`: the server does not answer. `given-up` waits for Reconnect or the focus. */
type Connection = { state: 'connecting' | 'connected' | 'silent' | 'given-up' } | { state: 'lost'; attempt: number };

export const connection = createStore<Connection>({ state: 'connecting' });

export const useConnection = (): Connection => useStore(connection);

export const isDown = ({ state }: Connection): boolean => state !== 'connecting' && state !== 'connected';

/** The socket's events. Each is emitted again inside the page, as a window event of the same name. */
export type LiveEventName = keyof ServerToClient;
export type LiveMessage<N extends LiveEventName> = Parameters<ServerToClient[N]>[0];

/** Events of the page itself: the game went live, the pregame ended, the socket connected, the gamer logged in or out here. */
interface OwnEvents {
  'live-started': { roundId: number | null };
  'seamless-transition': { message: string };
  'socket-connected': null;
  'session-changed': null;
}

type PageEvents = { [N in LiveEventName]: LiveMessage<N> } & OwnEvents;
export type PageEventName = keyof PageEvents;

export function emitPageEvent<N extends keyof PageEvents>(name: N, detail: PageEvents[N]): void {
  window.dispatchEvent(new CustomEvent(`omni:${name}`, { detail }));
}

export function onPageEvent<N extends keyof PageEvents>(name: N, handler: (detail: PageEvents[N]) => void): () => void {
  const listener = (event: Event) => handler((event as CustomEvent<PageEvents[N]>).detail);
  window.addEventListener(`omni:${name}`, listener);
  return () => window.removeEventListener(`omni:${name}`, listener);
}

export function usePageEvent<N extends keyof PageEvents>(name: N, handler: (detail: PageEvents[N]) => void): void {
  const latest = useEffectEvent(handler);
  useEffect(() => onPageEvent(name, (detail) => latest(detail)), [name]);
}

/** Messages change the page at most four times a second, however many arrive. */
const EVERY_MS = 250;
/** A purchase has several messages, which arrive a moment apart. */
const FIRST_AFTER_MS = 20;

const waiting = new Map<string, () => void>();
let timer: ReturnType<typeof setTimeout> | undefined;
let ranAtMonotonicMs = Number.NEGATIVE_INFINITY;

/** Runs the task together with those of the other keys. A newer task replaces one with the same key. */
export function batchUpdate(key: string, task: () => void): void {
  waiting.set(key, task);
  timer ??= setTimeout(flushUpdates, Math.max(FIRST_AFTER_MS, ranAtMonotonicMs + EVERY_MS - performance.now()));
}

export function flushUpdates(): void {
  clearTimeout(timer);
  timer = undefined;
  ranAtMonotonicMs = performance.now();
  const tasks = [...waiting.values()];
  waiting.clear();
  for (const task of tasks) task();
}
