/* Each log has one forgery and a correct chain: only the rules find it, and the finding names the forgery. */
import { CAROL, SECOND, T0 } from '../../domain/testing/constants.js';
import { SIGNED } from '../../domain/testing/money.js';
import { tick } from '../../domain/testing/rounds.js';
import { FORGED_ACTORS } from '../testing/forged-actors.js';
import { FORGED_LOSSES } from '../testing/forged-losses.js';
import { FORGED_MONEY } from '../testing/forged-money.js';
import { FORGED_ROUNDS } from '../testing/forged-rounds.js';
import { audited, data, type Events, type Forgery, forged, honest } from '../testing/forgeries.js';
import { historyOf, recorded } from '../testing/histories.js';
import { PLANNED_AT } from '../testing/scenario.js';

it('proves the honest scenario, which has every event: the last buyer wins the jackpot, to the cent', () => {
  const auditor = audited(honest());
  expect(auditor.findings).toEqual([]);
  expect(new Set(honest().map(({ event }) => event.type)).size).toBe(36);
  const accounts = auditor.ledgerAccounts.nonZero().map(([account]) => account);
  expect(accounts).toEqual(accounts.toSorted());
  expect(auditor.rounds.ended).toMatchObject([{ roundId: 1, winnerId: CAROL, jackpotCents: 52 }]);
});

const FORGERIES = [...FORGED_ROUNDS, ...FORGED_MONEY, ...FORGED_ACTORS, ...FORGED_LOSSES];

const saysOf = (log: Events): string[] => audited(log).findings.map(({ message }) => message);
const linesOf = (forge: Forgery[1]): string => `\n${saysOf(forged(forge)).join('\n')}\n`;

const ROWS = FORGERIES.map(([message, forge, keep]) => [message, forge, keep] as const);
it.each(ROWS)('finds forged log %#, and not one within the rule: %s', (message, forge, keep) => {
  expect(linesOf(forge)).toContain(message);
  if (keep !== undefined) expect(linesOf(keep)).not.toContain(message);
});

it('finds by the chain that an event was edited, and by the revision that one was dropped', () => {
  const events = honest();
  expect(saysOf(events.with(4, { ...events[4], id: 'another' } as Events[number]))).toContain(
    'GamerEnrolled has a chain that does not follow',
  );
  expect(saysOf(events.toSpliced(4, 1))).toContain('GamerEnrolled follows revision 3');
});

it('counts findings beyond the limit of kept ones', () => {
  const auditor = audited(Array<Events[number]>(2_000).fill(honest()[0] as Events[number]));
  expect(auditor.findings).toHaveLength(1_000);
  expect(auditor.findingCount).toBeGreaterThan(2_000);
});

/* Histories that few games have, and in which the auditor must find nothing. */

type Command = Parameters<typeof historyOf>[0][number][1];

const history = (...commands: Command[]) => recorded(historyOf(commands.map((command) => [T0, command])));
const admin: Command = { type: 'EnrolAdmin', gamerId: 'admin' };
const enrol = (gamerId: string, sponsorId: string | null): Command => ({ type: 'EnrolGamer', gamerId, sponsorId });
const remove = (gamerId: string): Command => ({ type: 'RemoveGamer', gamerId });

it('seven uplines of the buyer are paid, and no eighth', () => {
  const chain = ['g1', 'g2', 'g3', 'g4', 'g5', 'g6', 'g7', 'g8', 'g9'];
  const log = history(
    admin,
    ...chain.map((gamerId, index) => enrol(gamerId, chain[index - 1] ?? null)),
    ...chain.map((gamerId): Command => ({ type: 'SetDepositorStatus', gamerId, isDepositor: true })),
    { type: 'AdjustBalance', gamerId: 'g9', purchaseCents: 30, winningsCents: 0, reason: 'a gift' },
    { type: 'ForceStartLive' },
    { type: 'BuyTokens', buyerId: 'g9', quantity: 1 },
  );
  expect(saysOf(log)).toEqual([]);
  const underpaid = data('TokenPurchased', ({ allocations: [, second] }) => Object.assign(second!, { cents: 1 }));
  expect(saysOf(forged(underpaid, log))).toContain('TokenPurchased owes $0.02 to g7 at level 2, and pays $0.01');
});

it('a sponsor deeper than seven levels is paid the direct bonus alone', () => {
  // The seats of seven levels below the sponsor, and one more.
  const seats = Array.from({ length: 3_280 }, (_, number) => `g${number}`);
  const buyer = seats.at(-1) as string;
  const log = history(
    admin,
    enrol('sponsor', null),
    ...seats.map((gamerId) => enrol(gamerId, 'sponsor')),
    { type: 'SetDepositorStatus', gamerId: 'sponsor', isDepositor: true },
    { type: 'AdjustBalance', gamerId: buyer, purchaseCents: 30, winningsCents: 0, reason: 'a gift' },
    { type: 'ForceStartLive' },
    { type: 'BuyTokens', buyerId: buyer, quantity: 1 },
  );
  expect(saysOf(log)).toEqual([]);
  const unpaid = data('TokenPurchased', (purchase) => Object.assign(purchase, { allocations: [] }));
  expect(saysOf(forged(unpaid, log))).toContain(
    'TokenPurchased owes $0.01 to sponsor at no level, direct, and pays $0.00',
  );
});

it('a gamer takes the place of a removed one, although an earlier place is free', () => {
  const enrolled = [enrol('a', null), enrol('b', 'a'), enrol('c', 'a'), enrol('d', 'c')];
  expect(saysOf(history(admin, ...enrolled, remove('b'), remove('c'), remove('a')))).toEqual([]);
});

it('a reset at the time of a daily start plans the next day', () => {
  const log = recorded(
    historyOf([
      [T0, admin],
      [T0, { type: 'ScheduleGame', localTime: '2026-01-01T18:00', timeZone: 'Europe/Berlin', repeat: 'daily' }],
      [T0, { type: 'ForceStartLive' }],
      [PLANNED_AT, { type: 'ResetGame', reason: '' }],
    ]),
  );
  expect(saysOf(log)).toEqual([]);
  expect(log.at(-1)?.event.type).toBe('GameScheduled');
});

it('a round resumes when events around its zero were lost, however short the lost time was', () => {
  const zero = T0 + 300 * SECOND;
  const lost = { type: 'AcceptLoss', signed: SIGNED, acceptedBy: 'Ada', reason: 'a lost disk' } as const;
  const started = [T0, { type: 'ForceStartLive' }] as const;
  const log = recorded(historyOf([started, [zero - SECOND, admin], [zero, lost], [zero + SECOND, tick]]));
  expect(saysOf(log)).toEqual([]);
  expect(log.at(-1)?.event.type).toBe('LiveResumed');
});
