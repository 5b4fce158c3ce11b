import { Link, useLocation, useParams } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import type { Power } from '../../../../contracts/ids.js';
import { useRefreshOn } from '../../shared/api/api-client.js';
import { useServerNow } from '../../shared/clock.js';
import { agoText, counted, formatCents, numberText } from '../../shared/format.js';
import { column, RowsTable, type TableColumn } from '../../shared/lists/data-table.js';
import { ListTabs, rowsOf } from '../../shared/lists/list-table.js';
import { useSession } from '../../shared/session.queries.js';
import { hasPower, PanelHead, usePower } from '../../shared/ui/admin-parts.js';
import { PageLink } from '../../shared/ui/controls.js';
import { LoadFailure, Loading } from '../../shared/ui/query-result.js';
import { PostsPanel } from '../community/posts-panel.js';
import { DepositsPanel } from '../deposits/deposits-panel.js';
import { depositsKey, usePendingDeposits } from '../deposits/payment-lookup.js';
import { GameControlPanel } from '../game/game-control-panel.js';
import { GamerActions } from '../gamers/gamer-actions.js';
import { GamerPanel, type GamerProps, GamersPanel } from '../gamers/gamers-panel.js';
import { HeldPayoutsPanel, useHeldPayouts } from '../history-loss/held-payouts-panel.js';
import { ProfitsPanel } from '../profits/profits-panel.js';
import { GamerLimits, ProtectionPanel } from '../protection/protection-panel.js';
import { SecurityEventsPanel } from '../staff/security-events-panel.js';
import { Movements } from '../statements/statement-panel.js';
import { TicketContext } from '../support/ticket-context.js';
import { GamerTickets, TicketsPanel, ticketsKey, unansweredIn, useTickets } from '../support/tickets-panel.js';
import { adminWithdrawalsKey, useWithdrawals, WithdrawalsPanel } from '../withdrawals/withdrawals-panel.js';
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
  { id: 'security-events', title: 'Security events', powers: [], Panel: SecurityEventsPanel },
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
          {gamerId ? (
            <GamerPanel gamerId={gamerId} Details={GamerDetails} />
          ) : (
            <shown.Panel title={<h2>{shown.title}</h2>} />
          )}
        </section>
      )}
    </div>
  );
}

function PanelNav({ panels, shownId }: { panels: readonly AdminPanelPart[]; shownId: string | undefined }) {
  useRefreshOn(ticketsKey, 'admin:new_ticket', 'admin:ticket_updated', 'socket-connected');
  useRefreshOn(adminWithdrawalsKey, 'admin:money_updated', 'socket-connected');
  useRefreshOn(depositsKey, 'admin:money_updated', 'socket-connected');
  const waiting: Record<string, number> = {
    tickets: unansweredIn(rowsOf(useTickets('open'))).length,
    deposits: rowsOf(usePendingDeposits()).length,
    withdrawals: rowsOf(useWithdrawals('pending')).length,
  };
  const isOwnPage = useLocation().pathname !== '/';
  return (
    <nav className="panel-nav" aria-label="Back office">
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

interface WaitingCase {
  createdAt: number;
  gamerTag: string | null;
  text: string;
}

interface CaseGroup extends WaitingCase {
  id: string;
  panel: string;
}

const columns: TableColumn<CaseGroup>[] = [
  column.text('What waits', ({ id }) => id, {
    cell: ({ id, panel }) => <PageLink className="linkish num" to="/admin/$panel" params={{ panel }} text={id} />,
  }),
  column.dateTime('The oldest', ({ createdAt }) => createdAt, { cell: ({ createdAt }) => <Ago sinceMs={createdAt} /> }),
  column.gamer,
  column.text('About', ({ text }) => text, { className: 'said' }),
];

const Ago = ({ sinceMs }: { sinceMs: number }) => agoText(sinceMs, useServerNow(10_000));

function WaitingPanel({ title }: { title: ReactNode }) {
  const withdrawals = useWithdrawals('pending');
  const deposits = usePendingDeposits();
  const tickets = useTickets('open');
  const queries = [withdrawals, deposits, tickets];
  const failed = queries.find(({ isLoadingError }) => isLoadingError);
  const isLoading = queries.some((query) => query.isLoading);
  const unansweredTickets = unansweredIn(tickets.data?.rows ?? []).map((row) => ({
    ...row,
    createdAt: row.messages.at(-1)?.atMs ?? 0,
    text: row.subject,
  }));
  const payouts = withdrawals.data?.rows.map((row) => ({ ...row, text: amountOf(row) })) ?? [];
  const reviewed = deposits.data?.rows.map((row) => ({ ...row, text: `${amountOf(row)}: ${row.reason}` })) ?? [];
  const ofGamers = reviewed.filter(({ gamerTag }) => gamerTag !== null);
  const unassigned = reviewed.filter(({ gamerTag }) => gamerTag === null);
  const groups = [
    ...groupOf('tickets', counted(unansweredTickets.length, 'ticket'), unansweredTickets.sort(byAge)),
    ...groupOf('deposits', counted(ofGamers.length, 'deposit'), ofGamers),
    ...groupOf('withdrawals', counted(payouts.length, 'payout'), payouts),
    ...groupOf('deposits', `${counted(unassigned.length, 'payment')} without a gamer`, unassigned),
  ].sort(byAge);
  const count = unansweredTickets.length + payouts.length + reviewed.length;
  const summary = count === 0 ? 'Nothing' : `${counted(count, 'case')}, the longest wait first`;
  return (
    <>
      <PanelHead title={title}>{!failed && !isLoading && summary}</PanelHead>
      {failed && <LoadFailure text="What waits could not be loaded" onRetry={failed.refetch} />}
      {!failed && isLoading && <Loading label="Loading what waits" rows={3} />}
      {!failed && !isLoading && count === 0 && <p className="empty">No withdrawal, deposit or ticket waits for you.</p>}
      {!failed && !isLoading && count > 0 && <RowsTable name="Waiting for you" columns={columns} rows={groups} />}
    </>
  );
}

const byAge = (one: WaitingCase, other: WaitingCase): number => one.createdAt - other.createdAt;

/** @param cases the oldest first */
const groupOf = (panel: string, id: string, [oldest]: readonly WaitingCase[]): CaseGroup[] =>
  oldest ? [{ ...oldest, id, panel }] : [];

const amountOf = ({ amountCents, cryptoType }: { amountCents: number; cryptoType: string | null }): string =>
  `${formatCents(amountCents)}${cryptoType === null ? '' : ` in ${cryptoType}`}`;

function GamerDetails({ gamer }: GamerProps) {
  const { id, gamerTag } = gamer;
  const handlesMoney = usePower('money');
  const isSupport = usePower('support');
  const history = { title: 'History', content: <TicketContext gamerId={id} /> };
  const money = { title: 'Money', content: <Movements gamerId={id} /> };
  return (
    <>
      {isSupport && <GamerLimits gamer={gamer} />}
      {handlesMoney && <GamerActions gamer={gamer} />}
      {isSupport && (
        <section className="gamer-tickets">
          <h3>Tickets</h3>
          <GamerTickets gamerId={id} />
        </section>
      )}
      <ListTabs
        label={`About ${gamerTag}`}
        tabs={[...(isSupport ? [history] : []), ...(handlesMoney ? [money] : [])]}
      />
    </>
  );
}
