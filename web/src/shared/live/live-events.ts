import { useEffect, useEffectEvent } from 'react';
import type { ServerToClient } from '../../../../contracts/live.js';

/** Every socket event is said again inside the page, as a window event of this name. */
export const LIVE_EVENTS = [
  'state:update',
  'game:transition-to-live',
  'round:started',
  'round:ended',
  'purchase:added',
  'game:time-extended',
  'stats:updated',
  'winnings:updated',
  'balanceUpdated',
  'community:new_post',
  'admin:new_ticket',
  'admin:ticket_updated',
  'support:ticket_updated',
] as const satisfies readonly (keyof ServerToClient)[];

export type LiveEventName = (typeof LIVE_EVENTS)[number];
export type LiveMessage<N extends LiveEventName> = Parameters<ServerToClient[N]>[0];

/** What the page says to itself when the game goes live: by any way, and by the pregame's end. */
export interface PageSignals {
  'live-started': { roundId: number | null };
  'seamless-transition': { message: string };
  'socket-connected': null;
}

type PageEvents = { [N in LiveEventName]: LiveMessage<N> } & PageSignals;

export function sayInPage<N extends keyof PageEvents>(name: N, detail: PageEvents[N]): void {
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
