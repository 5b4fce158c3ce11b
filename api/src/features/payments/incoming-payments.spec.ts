import { HOUR_MS, MINUTE_MS } from '../../../../contracts/durations.js';
import { Background } from '../../platform/background.js';
import type { Clock } from '../../platform/clock.js';
import type { Locks } from '../../platform/locks.store.js';
import { GatewayUnavailable, type PaymentGateway } from './gateway/payment-gateway.js';
import { Poller } from './incoming-payments.js';
import { type DueOrder, nextPollAtMs, type PaymentPollsStore } from './payment-polls.store.js';
import type { Settlement } from './settlement.js';

type Reason = GatewayUnavailable['reason'];

const NOW = 1_800_000_000_000;

/** Polls one round of orders. `faults`: why the gateway does not list an order's payments. */
async function round(orderIds: string[], faults: Record<string, Reason>) {
  const settled: string[] = [];
  const polled: [string, number][] = [];
  const orders = orderIds.map((orderId): DueOrder => ({ orderId, invoiceId: orderId, changedAtMs: 0 }));
  const gateway = {
    async listPaymentsOfInvoice(invoiceId: string) {
      const reason = faults[invoiceId];
      if (reason !== undefined) throw new GatewayUnavailable(reason, reason);
      return [{ paymentId: `payment of ${invoiceId}`, childPaymentIds: [] }];
    },
  } as unknown as PaymentGateway;
  const settlement = {
    settle: async (_: unknown, __: unknown, orderId: string) => void settled.push(orderId),
  } as unknown as Settlement;
  const polls = {
    due: async () => orders,
    markPolled: async (orderId: string, _: number, polledAtMs: number) => void polled.push([orderId, polledAtMs]),
    forgetBefore: async () => undefined,
  } as unknown as PaymentPollsStore;
  const locks = { ifFree: (_: string, work: () => Promise<void>) => work() } as unknown as Locks;
  await new Poller(gateway, settlement, polls, locks, { now: () => NOW } as Clock, new Background(), 0).pollDueOrders();
  return { settled, polled: polled.map(([orderId]) => orderId), times: polled.map(([, atMs]) => atMs) };
}

it('settles the orders after one that always fails, and marks both as polled', async () => {
  const { settled, polled, times } = await round(['broken', 'paid'], { broken: 'unreadable' });
  expect(settled).toEqual(['paid']);
  expect(polled).toEqual(['broken', 'paid']);
  expect(times).toEqual([NOW, NOW]);
});

it('ends the round after three orders in a row that failed', async () => {
  const faults = { a: 'unreadable', c: 'server-error', d: 'timeout', e: 'server-error' } as const;
  const { settled, polled } = await round(['a', 'b', 'c', 'd', 'e', 'f'], faults);
  expect(settled).toEqual(['b']);
  expect(polled).toEqual(['a', 'b', 'c', 'd', 'e']);
});

it.each([
  ['now', 0, 10_000],
  ['a minute ago', MINUTE_MS, 10_000],
  ['four minutes ago', 4 * MINUTE_MS, 30_000],
  ['an hour ago', HOUR_MS, 7.5 * MINUTE_MS],
  ['a day ago', 24 * HOUR_MS, 3 * HOUR_MS],
  ['ten days ago', 240 * HOUR_MS, 6 * HOUR_MS],
  ['a minute ahead of this clock', -MINUTE_MS, 10_000],
])('polls an invoice that changed %s after the right wait', (_, ageMs, waitMs) => {
  expect(nextPollAtMs(NOW - ageMs, NOW) - NOW).toBe(waitMs);
});
