import assert from 'node:assert/strict';
import { Auditor } from '../../../../audit/replay/auditor.js';
import { Payments } from '../../../../audit/rules/payments.js';
import type { Simulation } from '../simulation.js';

/** The auditor finds nothing. Each stream of payments has each outcome once, and the ledger has the same outcomes. */
export function checkByAuditor({ world: { memory } }: Simulation): void {
  const [auditor, audited] = [new Auditor(), new Payments()];
  for (const one of memory.ledger) {
    auditor.take(one);
    audited.takeLedger(one, auditor.openRoundFor(one));
  }
  assert.deepEqual(auditor.findings, []);
  const settled = new Set<string>();
  for (const [stream, events] of memory.streams) {
    if (!stream.startsWith('payment-')) continue;
    for (const recorded of events) {
      const { event } = recorded;
      audited.takePayment(recorded as Parameters<Payments['takePayment']>[0]);
      assert.ok(!JSON.stringify(event.data).includes('forged'), `${stream} has a forged callback`);
      if (event.type !== 'PaymentSettled' && event.type !== 'PaymentParked') continue;
      assert.ok(!settled.has(event.data.paymentId), `${event.data.paymentId} is settled twice in its stream`);
      settled.add(event.data.paymentId);
    }
  }
  assert.deepEqual(audited.findings(), []);
}
