import type { LedgerEvent, LedgerEvents } from '../../../../../contracts/events/ledger-events.js';
import { eventsOf } from '../../../../../contracts/events/testing/golden.js';
import { LEDGER_EVENT_TYPES } from '../../../../../contracts/http/audit.js';
import { describeFields, describePostings, describeSummary } from './event-descriptions.js';

const tagOf = (id: string): string => `the-${id}`;

/** The text of a missing value in a template. */
const MISSING = /undefined|null|NaN|Invalid|\[object/;

const golden = eventsOf<LedgerEvent>(LEDGER_EVENT_TYPES);

it.each(golden.map((one) => [`${one.event.type}.v${one.metadata.schema}`, one] as const))(
  'describes %s: its summary, its fields and the reasons of its postings',
  (_, { event, metadata }) => {
    const texts = [
      describeSummary({ event, metadata }, tagOf),
      ...describeFields(event, tagOf).flatMap(({ name, value }) => [name, value]),
    ];
    const reasons = describePostings(event, tagOf).map(({ reason }) => reason);
    for (const text of [...texts, ...reasons]) {
      expect(text).toMatch(/\S/);
      expect(text).not.toMatch(MISSING);
    }
  },
);

const goldenOf = (type: LedgerEvent['type']) => golden.find(({ event }) => event.type === type)?.event as LedgerEvent;

const bought = (data: Partial<LedgerEvents['TokenPurchased']>) => {
  const shares = { costCents: 60, jackpotShareCents: 26, houseShareCents: 4 };
  const { type, data: rest } = goldenOf('TokenPurchased');
  return { type, data: { ...rest, buyerId: 'b', quantity: 2, source: 'balance', ...shares, ...data } } as LedgerEvent;
};

const whysOf = (event: LedgerEvent): Record<string, string> =>
  Object.fromEntries(describePostings(event, tagOf).map(({ name, reason }) => [name, reason]));

describe('a purchase', () => {
  const paid = (levels: (1 | 2 | 3 | 4 | 5 | 6 | 7)[], direct: 1 | 2 | 3 | 4 | 5 | 6 | 7 | null) => {
    const allocations = levels.map((level) => {
      const isDirect = level === direct;
      return { gamerId: `g${level}`, level, direct: isDirect, cents: isDirect ? 6 : 4 };
    });
    const unclaimedCents = 30 - allocations.reduce((sum, { cents }) => sum + cents, 0);
    return whysOf(bought({ allocations, unclaimedCents }));
  };

  it('names the reason of each share', () => {
    expect(paid([1, 2, 3, 4, 5, 6, 7], 1)).toEqual({
      'gamer:the-b:purchase': 'pays for 2 tokens',
      jackpot: '13 cents a token',
      'house:profit': '2 cents a token',
      'gamer:the-g1:winnings': 'level 1, and direct',
      ...Object.fromEntries([2, 3, 4, 5, 6, 7].map((level) => [`gamer:the-g${level}:winnings`, `level ${level}`])),
    });
    const deep = [{ gamerId: 'deep', level: null, direct: true, cents: 2 }];
    expect(
      whysOf(bought({ source: 'invoice', paymentId: '5001', allocations: deep, unclaimedCents: 28 })),
    ).toMatchObject({
      'world:crypto': 'pays for 2 tokens, by an invoice',
      'gamer:the-deep:winnings': 'direct, from deeper than level 7',
      'house:unclaimed': 'unclaimed: levels 1, 2, 3, 4, 5, 6, 7',
    });
  });

  it.each<[Parameters<typeof paid>, string]>([
    [[[], null], 'levels 1, 2, 3, 4, 5, 6, 7, direct'],
    [[[1, 2, 3, 4, 6, 7], 1], 'level 5'],
    [[[1, 2, 3, 4, 5, 6, 7], null], 'direct'],
  ])('names the unclaimed levels: %j', (shares, unclaimed) => {
    expect(paid(...shares)['house:unclaimed']).toBe(`unclaimed: ${unclaimed}`);
  });
});

it('names the operator, not the admin, as the source of an adjustment: operators adjust balances too', () => {
  const reasons = describePostings(goldenOf('BalanceAdjusted'), tagOf).map(({ reason }) => reason);
  expect(new Set(reasons)).toEqual(new Set(['adjusted by the operator', 'granted or taken by the operator']));
});
