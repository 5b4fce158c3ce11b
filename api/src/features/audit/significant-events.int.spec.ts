import type { SignificantEventsResponse } from '../../../../contracts/http/audit.js';
import { dayInNewYork, daysUntil } from '../../../../contracts/new-york.js';
import { type AuditScenario, DOGECOIN, startAuditScenario } from '../../../test/audit-scenario.js';
import { readAfter } from '../../../test/whole-application.js';

let scenario: AuditScenario;
let events: SignificantEventsResponse['events'];

beforeAll(async () => {
  scenario = await startAuditScenario();
  const { alice, auditor, application } = scenario;
  const { visitor: admin } = await application.admin();
  const change = { purchaseBalanceCents: 0, totalWinningsCents: 300_000, reason: 'a large gift' };
  await admin.post(`/api/admin/mini/gamers/${alice.id}/adjust`, change);
  for (const amountCents of [99_999, 100_000]) {
    const form = { cryptoType: 'DOGE', walletAddress: DOGECOIN, amountCents };
    expect((await alice.visitor.post(`/api/gamer/${alice.id}/withdraw`, form)).status).toBe(200);
  }
  await alice.visitor.put(`/api/gamer/${alice.id}/limits`, { lossMonth: 5_000 });
  const excluded = await alice.visitor.post(`/api/gamer/${alice.id}/exclusion`, { kind: 'time-out', days: 1 });
  const answer = await readAfter<SignificantEventsResponse>(auditor.visitor, excluded, '/api/audit/significant-events');
  expect(answer.nextBefore).toBeNull();
  ({ events } = answer);
});

afterAll(() => scenario?.close());

it('lists limits, exclusions, adjustments, staff and timers, and only large withdrawals and wins', () => {
  expect(events.map(({ type, movesCents }) => [type, movesCents])).toEqual([
    ['GamerExcluded', 0],
    ['LimitsSet', 0],
    ['WithdrawalRequested', 100_000],
    ['BalanceAdjusted', 300_000],
    ['DepositorStatusSet', 0],
    ['BalanceAdjusted', 500],
    ['BalanceAdjusted', 2_500],
    ['TimersChanged', 0],
    ['StaffStatusSet', 0],
  ]);
});

it('names the gamer, the person who caused it, and the facts', () => {
  expect(events[1]).toMatchObject({
    gamer: { gamerTag: 'Alice' },
    by: 'Alice',
    facts: [{ name: 'In force', value: 'loss $50.00 a month' }],
  });
  expect(events[3]).toMatchObject({ by: 'admin', says: expect.stringContaining('a large gift') });
});

it('has pages that continue one another', async () => {
  const read: number[] = [];
  let before: number | null = null;
  do {
    const page: SignificantEventsResponse = await scenario.read(
      `significant-events?count=2${before === null ? '' : `&before=${before}`}`,
    );
    read.push(...page.events.map(({ number }) => number));
    before = page.nextBefore;
  } while (before !== null);
  expect(read).toEqual(events.map(({ number }) => number));
});

it('covers the days in New York that were requested', async () => {
  const [yesterday, today] = daysUntil(dayInNewYork(Date.now()), 2) as [string, string];
  const none = await scenario.read<SignificantEventsResponse>(`significant-events?from=${yesterday}&to=${yesterday}`);
  expect(none).toEqual({ from: yesterday, to: yesterday, events: [], nextBefore: null });
  const all = await scenario.read<SignificantEventsResponse>(`significant-events?from=${yesterday}&to=${today}`);
  expect(all.events).toEqual(events);
  const refused = await scenario.auditor.visitor.get('/api/audit/significant-events?from=2026-02-30');
  expect(refused).toMatchObject({ status: 400, body: { code: 'invalid-statement-days' } });
});
