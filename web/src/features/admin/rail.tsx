import { useEffect, useState } from 'react';
import { usePendingDeposits } from './deposits/deposits.queries.js';
import { useTickets } from './tickets/tickets.queries.js';
import { isUnsettled } from './withdrawals/settlement.js';
import { useWithdrawals } from './withdrawals/withdrawals.queries.js';

interface RailRoom {
  id: string;
  title: string;
}

/** The way to every room, which one is in view, and how much waits there. */
export function Rail({ rooms }: { rooms: readonly RailRoom[] }) {
  const waiting = useWaiting();
  const current = useRoomInView(rooms);
  return (
    <nav className="rail" aria-label="Back office">
      <ul>
        {rooms.map(({ id, title }) => {
          const count = waiting[id] ?? 0;
          return (
            <li key={id}>
              <a href={`#${id}`} aria-current={id === current ? 'location' : undefined}>
                {title}
                {count > 0 && (
                  <em>
                    {count.toLocaleString('en-US')}
                    <span className="sr"> {count === 1 ? 'waits' : 'wait'}</span>
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

function useWaiting(): Record<string, number> {
  const tickets = useTickets().query.data?.rows ?? [];
  const deposits = usePendingDeposits().query.data?.rows ?? [];
  const withdrawals = useWithdrawals().query.data?.rows ?? [];
  return {
    'support-tickets': tickets.filter(({ status }) => status === 'open').length,
    deposits: deposits.length,
    withdrawals: withdrawals.filter(isUnsettled).length,
  };
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
