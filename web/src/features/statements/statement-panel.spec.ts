import type { Movement } from '../../../../contracts/http/statements.js';
import { movementsCsv, parametersOf } from './statement-panel.js';

const AT = Date.UTC(2026, 2, 10, 12);

it('covers twelve months with today, thirty days, or everything', () => {
  expect(parametersOf('year', AT)).toEqual({ from: '2025-03-10' });
  expect(parametersOf('month', AT)).toEqual({ from: '2026-02-09' });
  expect(parametersOf('all', AT)).toEqual({});
});

it('writes movements as CSV, oldest first, without a balance for an invoice', () => {
  const bought: Movement = {
    number: 7,
    atMs: AT,
    eventCount: 1,
    description: 'Tokens paid by invoice, round 1',
    account: 'invoice',
    roundId: 1,
    cents: -300,
    balanceCents: null,
    outcome: null,
  };
  const gift: Movement = {
    ...bought,
    number: 3,
    atMs: AT - 1_000,
    description: 'Adjusted: a gift, "welcome"',
    account: 'purchase',
    cents: 500,
    balanceCents: 500,
  };
  expect(movementsCsv([bought, gift]).split('\r\n')).toEqual([
    '\ufeffWhen,Event,What,Account,Amount (USD),Balance of the account (USD)',
    '2026-03-10T11:59:59.000Z,3,"Adjusted: a gift, ""welcome""",Purchase balance,5.00,5.00',
    '2026-03-10T12:00:00.000Z,7,"Tokens paid by invoice, round 1",Paid by invoice,-3.00,',
    '',
  ]);
});
