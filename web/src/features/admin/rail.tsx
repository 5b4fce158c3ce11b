import { type RefObject, useEffect, useRef, useState } from 'react';
import { usePendingDeposits } from './deposits/deposits.queries.js';
import { countText } from './lists/list-tabs.js';
import { useTickets } from './tickets/tickets.queries.js';
import { useWithdrawals } from './withdrawals/withdrawals.queries.js';

interface RailRoom {
  id: string;
  title: string;
}

/** The way to every room, which one is in view, and how much waits there. */
export function Rail({ rooms }: { rooms: readonly RailRoom[] }) {
  const waiting = useWaiting();
  const current = useRoomInView(rooms);
  const nav = useRef<HTMLElement>(null);
  useCurrentInView(nav, current);
  return (
    <nav ref={nav} className="rail" aria-label="Back office">
      <ul>
        {rooms.map(({ id, title }) => {
          const count = waiting[id];
          return (
            <li key={id}>
              <a href={`#${id}`} aria-current={id === current ? 'location' : undefined}>
                {title}
                {count && (
                  <em>
                    {count}
                    <span className="sr"> {count === '1' ? 'waits' : 'wait'}</span>
                  </em>
                )}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** How much waits in a room; nothing where nothing does. */
function useWaiting(): Record<string, string> {
  const lists = {
    'support-tickets': useTickets('open').query.data,
    deposits: usePendingDeposits().query.data,
    withdrawals: useWithdrawals('pending').query.data,
  };
  const waiting = Object.entries(lists).flatMap(([id, list]) =>
    list && list.rows.length > 0 ? [[id, countText(list)] as const] : [],
  );
  return Object.fromEntries(waiting);
}

/** On phones the rooms are a row that scrolls: the current one is scrolled into it, and nothing else moves. */
function useCurrentInView(nav: RefObject<HTMLElement | null>, current: string | null): void {
  useEffect(() => {
    const link = current === null ? null : nav.current?.querySelector<HTMLElement>('[aria-current]');
    if (link) nav.current?.scrollTo({ left: link.offsetLeft - link.offsetWidth / 2 });
  }, [nav, current]);
}

/** The last room whose head has passed the upper third of the window. */
function useRoomInView(rooms: readonly RailRoom[]): string | null {
  const [current, setCurrent] = useState<string | null>(null);
  useEffect(() => {
    const look = () => {
      const line = window.innerHeight / 3;
      const passed = rooms.filter(({ id }) => {
        const top = document.getElementById(id)?.getBoundingClientRect().top;
        return top !== undefined && top <= line;
      });
      setCurrent(passed.at(-1)?.id ?? null);
    };
    look();
    window.addEventListener('scroll', look, { passive: true });
    window.addEventListener('resize', look);
    return () => {
      window.removeEventListener('scroll', look);
      window.removeEventListener('resize', look);
    };
  }, [rooms]);
  return current;
}
