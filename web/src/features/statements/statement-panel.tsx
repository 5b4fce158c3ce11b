import { infiniteQueryOptions, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Movement, MovementsResponse } from '../../../../contracts/http/statements.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { MAX_STATEMENT_LINES } from '../../../../contracts/limits.js';
import { dayInNewYork, daysUntil, startOfNewYorkDay } from '../../../../contracts/new-york.js';
import { outcomeText } from '../../../../contracts/purchase-outcome.js';
import { get, reasonOf, useRefreshOn } from '../../shared/api/api-client.js';
import { serverNow } from '../../shared/clock.js';
import { type Column, csvFileName, csvOf, saveFile } from '../../shared/files.js';
import { counted, dateTimeText, dayText, formatCents, netText, numberText } from '../../shared/format.js';
import { ShowOlder } from '../../shared/lists/pages.js';
import { useMyId } from '../../shared/session.queries.js';
import { Act } from '../../shared/ui/act.js';
import { Button, Field, PageLink, type PairRow, Pairs, VerifyLink } from '../../shared/ui/controls.js';
import { LoadingOrFailure } from '../../shared/ui/query-result.js';
import { Table } from '../../shared/ui/table.js';
import { toastProblem } from '../../shared/ui/toasts.js';

export function StatementPanel() {
  const [period, setPeriod] = useState<StatementPeriod>('year');
  const myId = useMyId();
  const statement = useStatement(myId, period);
  const first = statement.data?.pages[0];
  return (
    <>
      <Act
        first
        title="What it adds up to"
        lead={
          <Field
            label="Statement of"
            value={period}
            options={periods}
            onChange={(chosen) => setPeriod(chosen as StatementPeriod)}
          />
        }
      >
        {first ? <Totals statement={first} /> : <LoadingOrFailure {...statement} noun="the statement" rows={6} />}
      </Act>
      <Act title="Every movement" lead="A line for each purchase. The matrix winnings of a day are summed up.">
        <Movements gamerId={myId} period={period} />
      </Act>
    </>
  );
}

function Totals({ statement: { from, to, totals, balances, reservedCents } }: { statement: MovementsResponse }) {
  const { paidInCents, withdrawnCents, adjustedCents } = totals;
  const blocks: { title: string; rows: PairRow[]; text?: string }[] = [
    {
      title: 'Your play',
      rows: [
        ['Jackpots won', formatCents(totals.wonCents), totals.wonCents > 0 ? 'won' : undefined],
        ['Spent on tokens', formatCents(totals.spentCents)],
        ['Net position', netText(totals.netCents), 'total'],
      ],
      text: 'Jackpots won less spent on tokens, paid from your balance or by invoice. Matrix winnings come from what others play, so they are not in it.',
    },
    {
      title: 'Your payments',
      rows: [
        ['Paid in, less fees', formatCents(paidInCents)],
        ['Paid out', formatCents(withdrawnCents)],
        ['Net deposits', netText(paidInCents - withdrawnCents), 'total'],
      ],
      text: 'Deposits without their fee and token invoices, less what was paid out to you.',
    },
    {
      title: 'Everything else',
      rows: [
        ['Matrix winnings', formatCents(totals.matrixCents), totals.matrixCents > 0 ? 'won' : undefined],
        ['Transferred to your purchase balance', formatCents(totals.transferredCents)],
        ['Released to your winnings', totals.releasedCents > 0 && formatCents(totals.releasedCents)],
        ['Adjusted by the operator', netText(adjustedCents)],
      ],
    },
    {
      title: 'Your balances',
      rows: [
        ['Winnings at the beginning', formatCents(balances.winnings.openingCents)],
        ['Winnings at the end', formatCents(balances.winnings.closingCents)],
        ['Purchase balance at the beginning', formatCents(balances.purchase.openingCents)],
        ['Purchase balance at the end', formatCents(balances.purchase.closingCents)],
        ['Reserved for withdrawals at the end', formatCents(reservedCents)],
      ],
    },
  ];
  return (
    <div className="grid gap-5">
      <p className="t14 dim">
        {`${dayText(startOfNewYorkDay(from))} to ${dayText(startOfNewYorkDay(to))}, New York time`}
      </p>
      <div className="grid gap-6 sm:grid-cols-2">
        {blocks.map(({ title, rows, text }) => (
          <section key={title} className="grid content-start gap-2 min-w-0">
            <h3>{title}</h3>
            <Pairs rows={rows} />
            {text && <p className="t14 dim">{text}</p>}
          </section>
        ))}
      </div>
    </div>
  );
}

export function Movements({ gamerId, period = 'all' }: { gamerId: GamerId; period?: StatementPeriod }) {
  const statement = useStatement(gamerId, period);
  useRefreshOn(['statement', gamerId], 'balanceUpdated', 'round:ended', 'socket-connected');
  const client = useQueryClient();
  const { mutate: download, isPending } = useMutation({
    mutationFn: async () => {
      const query = statementQuery(gamerId, period, MAX_STATEMENT_LINES);
      const { pages } = await client.fetchInfiniteQuery({ ...query, pages: Number.POSITIVE_INFINITY });
      const csv = movementsCsv(pages.flatMap((page) => page.movements));
      saveFile(csvFileName(`Statement ${PERIODS[period].text}`, serverNow()), csv, 'text/csv');
    },
    onError: (error) => toastProblem('The file could not be made', reasonOf(error, 'Please try again.')),
  });
  if (!statement.data) return <LoadingOrFailure {...statement} noun="the statement" rows={6} />;
  const total = statement.data.pages[0]?.total ?? 0;
  const movements = statement.data.pages.flatMap((page) => page.movements);
  if (movements.length === 0)
    return <p className="empty">No movements yet. Everything that comes in or goes out will be listed here.</p>;
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="t14 dim">{`${counted(total, 'movement')}, newest first`}</p>
        <Button kind="line sm" text="Download CSV" busy={isPending && 'Collecting…'} onClick={() => download()} />
      </div>
      <Table caption="Movements, newest first" columns={HEADINGS} right={2}>
        {movements.map((movement) => (
          <Row key={`${movement.number} ${movement.account}`} movement={movement} />
        ))}
      </Table>
      <ShowOlder
        query={statement}
        text={`Show older, ${numberText(total - movements.length)} left`}
        failure="More movements could not be loaded"
      />
    </div>
  );
}

const HEADINGS = ['When, in New York', 'What', 'Account', 'Amount', 'Balance'];

function Row({ movement }: { movement: Movement }) {
  const { number, atMs, description, eventCount, cents, balanceCents, account, roundId, outcome } = movement;
  return (
    <tr>
      <td className="cell-context num">{dateTimeText(atMs)}</td>
      <td className="cell-name">
        {roundId === null ? (
          description
        ) : (
          <PageLink className="underline" to="/rounds/$roundId" params={{ roundId: `${roundId}` }} text={description} />
        )}
        {eventCount > 1 && <span className="dim t12">, {numberText(eventCount)} purchases</span>}
        {outcome && <span className="dim t12 block">{outcomeText(outcome)}</span>}
      </td>
      <td className="cell-note">
        {ACCOUNTS[account]}
        {roundId !== null && account !== 'winnings' && (
          <VerifyLink className="underline ml-2" search={{ event: `${number}` }} text="proof" />
        )}
      </td>
      <td className={`cell-amount r num ${account === 'winnings' && cents > 0 ? 'won' : ''}`}>{netText(cents)}</td>
      <td className="cell-balance r num">{balanceCents === null ? '' : formatCents(balanceCents)}</td>
    </tr>
  );
}

const PAGE_SIZE = 50;

/** `asOf` is the first page's, so that pages fit together while new movements come in. */
type PageRequest = { page: number; asOf?: number };

/** The statement by pages. It changes with the gamer's own play, wins and payments; other matrix credits wait for the next visit. */
const statementQuery = (gamerId: GamerId, period: StatementPeriod, pageSize: number) =>
  infiniteQueryOptions({
    // A key of its own: every matrix credit refetches the keys below the profile's.
    queryKey: ['statement', gamerId, period, pageSize] as const,
    initialPageParam: { page: 1 } as PageRequest,
    queryFn: ({ pageParam, signal }) => {
      const request = { ...parametersOf(period, serverNow()), pageSize, ...pageParam };
      return get<MovementsResponse>(['/api', 'gamer', gamerId, 'movements', request], signal);
    },
    getNextPageParam: ({ total, asOf }, pages): PageRequest | null =>
      pages.length * pageSize < total ? { page: pages.length + 1, asOf } : null,
    staleTime: 0,
  });

const useStatement = (gamerId: GamerId, period: StatementPeriod) =>
  useInfiniteQuery(statementQuery(gamerId, period, PAGE_SIZE));

/** The days that a statement may cover; null: all there are. */
const PERIODS = {
  year: { text: 'The last twelve months', days: 366 },
  month: { text: 'The last 30 days', days: 30 },
  all: { text: 'Everything', days: null },
} as const;
type StatementPeriod = keyof typeof PERIODS;
const periods = Object.entries(PERIODS).map(([value, { text }]) => ({ value, text }));

export function parametersOf(period: StatementPeriod, nowMs: number): { from?: string } {
  const { days } = PERIODS[period];
  return days === null ? {} : { from: daysUntil(dayInNewYork(nowMs), days)[0] as string };
}

const ACCOUNTS: Record<Movement['account'], string> = {
  winnings: 'Winnings',
  purchase: 'Purchase balance',
  invoice: 'Paid by invoice',
};

const columns: Column<Movement>[] = [
  { label: 'When', kind: 'dateTime', value: ({ atMs }) => atMs },
  { label: 'Event', kind: 'text', value: ({ number }) => String(number) },
  { label: 'What', kind: 'text', value: ({ description }) => description },
  { label: 'Account', kind: 'text', value: ({ account }) => ACCOUNTS[account] },
  { label: 'Amount', kind: 'cents', value: ({ cents }) => cents },
  { label: 'Balance of the account', kind: 'cents', value: ({ balanceCents }) => balanceCents },
];

export const movementsCsv = (newestFirst: readonly Movement[]): string => csvOf(columns, [...newestFirst].reverse());
