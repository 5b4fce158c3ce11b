import assert from 'node:assert/strict';
import type { GatewayPayment } from '../../../src/features/payments/gateway/payment-gateway.js';
import type { Simulation } from '../simulation.js';

/** Each payment is in the ledger as the gateway's own records demand: credited or parked once, or not at all. */
export function checkPayments(simulation: Simulation): void {
  const { world, gateway, payers } = simulation;
  checkPayouts(simulation);
  const credited = new Map<string, number>();
  const parked = new Map<string, number>();
  const add = (to: Map<string, number>, id: string) => to.set(id, (to.get(id) ?? 0) + 1);
  for (const { event } of world.memory.ledger) {
    if (event.type === 'DepositRecorded') add(parked, event.data.paymentId);
    else if ('paymentId' in event.data && event.data.paymentId !== null) add(credited, event.data.paymentId);
  }
  for (const payment of gateway.payments.values()) {
    const { paymentId } = payment;
    const found = `credited ${credited.get(paymentId) ?? 0}, parked ${parked.get(paymentId) ?? 0}`;
    const due = dueOf(payment, payers.shown.get(paymentId)?.action);
    assert.ok(
      due.includes(found),
      `${paymentId} (${payment.status}) is ${found} times, and should be ${due.join(' or ')}`,
    );
  }
}

/** Coins leave once for each withdrawal, and only for one that is then completed; each ordered payout has an outcome. */
function checkPayouts({ world, gateway, nodes }: Simulation): void {
  const ended = new Map<string, string>();
  for (const { event } of world.memory.ledger)
    if (event.type === 'WithdrawalCompleted' || event.type === 'WithdrawalReturned')
      ended.set(event.data.withdrawalId, `${event.type} ${event.data.txid}`);
  const paid = new Set<string>();
  for (const { externalId, hash } of gateway.payouts.sent) {
    const withdrawalId = (externalId as string).replace(/-\d+$/, '');
    assert.ok(!paid.has(withdrawalId), `${withdrawalId} was sent twice`);
    paid.add(withdrawalId);
    assert.equal(ended.get(withdrawalId), `WithdrawalCompleted ${hash}`, `${withdrawalId} was sent`);
  }
  for (const [id, how] of ended) assert.ok(paid.has(id) || /null$/.test(how), `${id} was not sent, and is ${how}`);
  for (const [id, { payout }] of nodes[0]?.replica.state.withdrawals ?? [])
    assert.equal(payout, null, `the payout of ${id} is not decided`);
}

const NOTHING = 'credited 0, parked 0';
const CREDITED = 'credited 1, parked 0';
const PARKED = 'credited 0, parked 1';

function dueOf({ parentPaymentId, actuallyPaid }: GatewayPayment, action: string | undefined): string[] {
  if (actuallyPaid === '0') return [NOTHING];
  if (parentPaymentId !== null || /^(underpay|overpay|pay late)$/.test(action ?? '')) return [PARKED];
  // Whether a node saw the payment before it was refunded is chance.
  return action === 'pay and refund' ? [CREDITED, NOTHING] : [CREDITED];
}
