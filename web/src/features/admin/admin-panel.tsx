import { Link, useLocation, useParams } from '@tanstack/react-router';
import { type ComponentType, type ReactNode, useEffect, useRef } from 'react';
import type { Power } from '../../../../contracts/ids.js';
import { useRefreshOn } from '../../shared/api/use-api.js';
import { numberText } from '../../shared/format.js';
import { hasPower, rowsOf } from '../../shared/lists/list-queries.js';
import { useSession } from '../../shared/session.queries.js';
import { PostsPanel } from '../community/posts-panel.js';
import { DepositsPanel } from '../deposits/deposits-panel.js';
import { depositsKey, usePendingDeposits } from '../deposits/payment-lookup.js';
import { GameControlPanel } from '../game/game-control-panel.js';
import { GamersPanel } from '../gamers/gamers-panel.js';
import { HeldPayoutsPanel, useHeldPayouts } from '../losses/held-payouts-panel.js';
import { ProfitsPanel } from '../profits/profits-panel.js';
import { ProtectionPanel } from '../protection/protection-panel.js';
import { SignInsPanel } from '../staff/sign-ins-panel.js';
import { TicketsPanel, ticketsKey, unanswered, useTickets } from '../support/tickets-panel.js';
import { useWithdrawals, WithdrawalsPanel, withdrawalsKey } from '../withdrawals/withdrawals-panel.js';
import { GamerPanel } from './gamer-panel.js';
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

const HELD_PAYOUTS = 'losses';

/** Specification §2, admin panel, with the game first. "Waiting for you", "Payouts wait" and the last three are our additions. */
const allPanels: AdminPanelPart[] = [
  { id: 'game', title: 'Game Control', powers: ['game'], Panel: GameControlPanel },
  { id: 'waiting', title: 'Waiting for you', powers: ['money', 'support'], Panel: WaitingPanel },
  { id: 'profits', title: 'Admin Profits', powers: [], Panel: ProfitsPanel },
  { id: 'tickets', title: 'Support Tickets', powers: ['support'], Panel: TicketsPanel },
  { id: 'deposits', title: 'Deposits', powers: ['money'], Panel: DepositsPanel },
  { id: HELD_PAYOUTS, title: 'Payouts wait', powers: ['money'], Panel: HeldPayoutsPanel },
  { id: 'withdrawals', title: 'Withdrawals', powers: ['money'], Panel: WithdrawalsPanel },
  { id: 'gamers', title: 'Gamers Mini-Manager', powers: ['money', 'support'], Panel: GamersPanel },
  { id: 'protection', title: 'Player protection', powers: ['support'], Panel: ProtectionPanel },
  { id: 'community', title: 'Community posts', powers: ['community'], Panel: PostsPanel },
  { id: 'sign-ins', title: 'Sign-ins', powers: [], Panel: SignInsPanel },
];

/** One panel at a time: the address names it, and without a name it is the first. */
export default function AdminPanel() {
  const session = useSession();
  const isHeld = Boolean(useHeldPayouts().data?.loss);
  const { pathname, hash } = useLocation();
  const { panel, gamerId } = useParams({ strict: false });
  const panels = allPanels.filter(({ powers }) => hasPower(session, powers));
  const wanted = gamerId ? 'gamers' : panel;
  const named = panels.find(({ id }) => id === (pathname === '/' ? hash : wanted));
  const shown = named ?? (wanted ? undefined : panels[0]);
  return (
    <div className="admin">
      <PanelNav panels={panels.filter(({ id }) => isHeld || id !== HELD_PAYOUTS)} shownId={shown?.id} />
      {shown === undefined ? (
        <p className="empty">No panel of yours has this address.</p>
      ) : (
        <section key={gamerId ?? shown.id} className="panel" aria-label={gamerId ? 'Gamer' : shown.title}>
          {gamerId ? <GamerPanel gamerId={gamerId} /> : <shown.Panel title={<h2>{shown.title}</h2>} />}
        </section>
      )}
    </div>
  );
}

function PanelNav({ panels, shownId }: { panels: readonly AdminPanelPart[]; shownId: string | undefined }) {
  useRefreshOn(ticketsKey, 'admin:new_ticket', 'admin:ticket_updated', 'socket-connected');
  useRefreshOn(withdrawalsKey, 'admin:money_updated', 'socket-connected');
  useRefreshOn(depositsKey, 'admin:money_updated', 'socket-connected');
  const waiting: Record<string, number> = {
    tickets: unanswered(rowsOf(useTickets('open'))).length,
    deposits: rowsOf(usePendingDeposits()).length,
    withdrawals: rowsOf(useWithdrawals('pending')).length,
  };
  const isOwnPage = useLocation().pathname !== '/';
  const nav = useRef<HTMLElement>(null);
  // On phones the links are a row that scrolls sideways: keeps the current link visible without moving the page.
  useEffect(() => {
    const link = shownId && nav.current?.querySelector<HTMLElement>('[aria-current]');
    if (link) nav.current?.scrollTo({ left: link.offsetLeft - link.offsetWidth / 2 });
  }, [shownId]);
  return (
    <nav ref={nav} className="panel-nav" aria-label="Back office">
      <ul>
        {panels.map(({ id, title }) => {
          const count = waiting[id] ?? 0;
          const place = isOwnPage ? ({ to: '/admin/$panel', params: { panel: id } } as const) : { to: '/', hash: id };
          return (
            <li key={id}>
              <Link {...place} resetScroll={false} aria-current={id === shownId ? 'page' : undefined}>
                {title}
                {count > 0 && (
                  <em>
                    <span>{numberText(count)}</span>
                    <span className="sr">{count === 1 ? ' waits' : ' wait'}</span>
                  </em>
                )}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
