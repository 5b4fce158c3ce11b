import type { AuditLedgerResponse, AuditLine } from '../../contracts/http/audit.js';
import type { Withdrawal } from '../../contracts/http/withdrawals.js';
import { ok } from './visitor.js';
import { type Person, readAfter, WholeApplication } from './whole-application.js';

export const DOGECOIN = 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L';

/** Before the tests: Alice, a depositor, referred Bob, who buys three of four tokens, wins $0.52 and transfers $0.20. */
export function auditScenario() {
  const application = WholeApplication.forTests();
  const { visitor: admin } = application.adminForTests();
  const alice = application.gamerForTests('Alice');
  const bob = {} as Person;
  const auditor = {} as Person;
  const ledger: AuditLine[] = [];
  beforeAll(async () => {
    Object.assign(bob, await application.register('bob', alice.refCode));
    Object.assign(auditor, await application.register('an-auditor'));
    await ok(admin.post(`/api/admin/mini/gamers/${auditor.id}/role`, { role: 'auditor' }));
    const seconds = { pregameDurationSeconds: 1, downtimeDurationSeconds: 600, tokenExtensionSeconds: 1 };
    await ok(admin.post('/api/admin/timers', { ...seconds, liveDurationSeconds: 2 }));
    await application.give(alice, 500, 2_000);
    await application.give(bob, 500);
    await ok(admin.post(`/api/admin/mini/gamers/${alice.id}/depositor-status`, { isDepositor: true }));
    await ok(admin.post('/api/admin/game/start', {}));
    await application.reached('live');
    for (const [{ id, visitor }, quantity] of [
      [bob, 2],
      [alice, 1],
      [bob, 1],
    ] as const) {
      await ok(visitor.post('/api/buy-from-balance', { quantity, userId: id }));
    }
    await application.reached('downtime');
    await ok(bob.visitor.post(`/api/gamer/${bob.id}/transfer-to-purchase`, { amountCents: 20 }));
    const form = { cryptoType: 'DOGE', walletAddress: DOGECOIN, amountCents: 1_000 };
    const requested = await ok(alice.visitor.post(`/api/gamer/${alice.id}/withdraw`, form));
    const [withdrawal] = await readAfter<Withdrawal[]>(admin, requested, '/api/admin/withdrawals');
    const returned = admin.put(`/api/admin/withdrawals/${withdrawal?.id}`, {
      status: 'returned',
      adminNotes: 'Refused',
    });
    const whole = '/api/audit/ledger?count=100';
    const { events } = await readAfter<AuditLedgerResponse>(auditor.visitor, await ok(returned), whole);
    ledger.push(...events);
  });
  return {
    application,
    admin,
    auditor,
    alice,
    bob,
    ledger,
    /** Reads `/api/audit/…` as the auditor. */
    read: async <T>(path: string) => (await ok(auditor.visitor.get<T>(`/api/audit/${path}`))).body,
    newest(type: AuditLine['type']): AuditLine {
      const line = ledger.find((one) => one.type === type);
      if (!line) throw new Error(`no ${type} in the scenario`);
      return line;
    },
  };
}
