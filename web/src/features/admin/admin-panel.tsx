import { type ComponentType, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { Power } from '../../../../contracts/ids.js';
import { hasPower } from '../../shared/lists/list-queries.js';
import { type Countable, countText } from '../../shared/lists/list-table.js';
import { useSession } from '../../shared/session.queries.js';
import { ADMIN_PANEL_ID, useLinkedSection } from '../../shared/ui/go-to.js';
import { lazy } from '../../shared/ui/lazy.js';
import { PostsPanel } from '../community/posts-panel.js';
import { DepositsPanel } from '../deposits/deposits-panel.js';
import { usePendingDeposits } from '../deposits/payment-lookup.js';
import { GameControlPanel } from '../game/game-control-panel.js';
import { GamersPanel } from '../gamers/gamers-panel.js';
import { useHeldPayouts } from '../losses/losses.queries.js';
import { ProfitsPanel } from '../profits/profits-panel.js';
import { ProtectionPanel } from '../protection/protection-panel.js';
import { SignInsPanel } from '../staff/sign-ins-panel.js';
import { TicketsPanel, useTickets } from '../support/tickets-panel.js';
import { useWithdrawals, WithdrawalsPanel } from '../withdrawals/withdrawals-panel.js';
import { WaitingPanel } from './waiting-panel.js';
import './admin.css';
import '../../shared/lists/lists.css';

interface AdminPanelPart {
  id: string;
  title: string;
  /** Operators with one of these powers see it; without any, only the admin does. */
  powers: readonly Power[];
  Panel: ComponentType<{ title: ReactNode }>;
}

/** Loaded lazily, because it is shown only while payouts wait after a loss. */
const HeldPayoutsPanel = lazy(() => import('../losses/held-payouts-panel.js'), 'the payouts that wait', 3);
const HELD_PAYOUTS = 'held-payouts';

/** Specification §2, admin panel, with the game first. "Waiting for you", "Payouts wait" and the last four are our additions. */
const allPanels: AdminPanelPart[] = [
  { id: 'game-control', title: 'Game Control', powers: ['game'], Panel: GameControlPanel },
  { id: 'waiting', title: 'Waiting for you', powers: ['money', 'support'], Panel: WaitingPanel },
  { id: 'admin-profits', title: 'Admin Profits', powers: [], Panel: ProfitsPanel },
  { id: 'support-tickets', title: 'Support Tickets', powers: ['support'], Panel: TicketsPanel },
  { id: 'deposits', title: 'Deposits', powers: ['money'], Panel: DepositsPanel },
  { id: HELD_PAYOUTS, title: 'Payouts wait', powers: ['money'], Panel: HeldPayoutsPanel },
  { id: 'withdrawals', title: 'Withdrawals', powers: ['money'], Panel: WithdrawalsPanel },
  { id: 'gamers', title: 'Gamers Mini-Manager', powers: ['money', 'support'], Panel: GamersPanel },
  { id: 'player-protection', title: 'Player protection', powers: ['support'], Panel: ProtectionPanel },
  { id: 'community-posts', title: 'Community posts', powers: ['community'], Panel: PostsPanel },
  { id: 'sign-ins', title: 'Sign-ins', powers: [], Panel: SignInsPanel },
];

export default function AdminPanel() {
  const session = useSession();
  const isHeld = Boolean(useHeldPayouts().data?.loss);
  const panels = useMemo(
    () => allPanels.filter(({ id, powers }) => (isHeld || id !== HELD_PAYOUTS) && hasPower(session, powers)),
    [isHeld, session],
  );
  useLinkedSection(ADMIN_PANEL_ID);
  return (
    <div className="admin">
      <PanelNav panels={panels} />
      <div className="min-w-0">
        {panels.map(({ id, title, Panel }) => (
          <section key={id} id={id} className="panel" aria-labelledby={`${id}-title`} tabIndex={-1}>
            <Panel title={<h2 id={`${id}-title`}>{title}</h2>} />
          </section>
        ))}
      </div>
    </div>
  );
}

function PanelNav({ panels }: { panels: readonly AdminPanelPart[] }) {
  const waiting: Record<string, Countable | undefined> = {
    'support-tickets': useTickets('open').query.data,
    deposits: usePendingDeposits().query.data,
    withdrawals: useWithdrawals('pending').query.data,
  };
  const current = usePanelInView(panels);
  const nav = useRef<HTMLElement>(null);
  // On phones the links are a row that scrolls sideways: keeps the current link visible without moving the page.
  useEffect(() => {
    const link = current === null ? null : nav.current?.querySelector<HTMLElement>('[aria-current]');
    if (link) nav.current?.scrollTo({ left: link.offsetLeft - link.offsetWidth / 2 });
  }, [current]);
  return (
    <nav ref={nav} className="panel-nav" aria-label="Back office">
      <ul>
        {panels.map(({ id, title }) => {
          const list = waiting[id];
          const count = list && list.rows.length > 0 ? countText(list) : null;
          return (
            <li key={id}>
              <a href={`#${id}`} aria-current={id === current ? 'location' : undefined}>
                {title}
                {count !== null && (
                  <em>
                    <span>{count}</span>
                    <span className="sr">{count === '1' ? ' waits' : ' wait'}</span>
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

function usePanelInView(panels: readonly AdminPanelPart[]): string | null {
  const [current, setCurrent] = useState<string | null>(null);
  useEffect(() => {
    const update = () => {
      const passed = panels.filter(({ id }) => {
        const top = document.getElementById(id)?.getBoundingClientRect().top;
        return top !== undefined && top <= window.innerHeight / 3;
      });
      setCurrent(passed.at(-1)?.id ?? null);
    };
    update();
    const listening = new AbortController();
    const { signal } = listening;
    window.addEventListener('scroll', update, { passive: true, signal });
    window.addEventListener('resize', update, { signal });
    return () => listening.abort();
  }, [panels]);
  return current;
}
