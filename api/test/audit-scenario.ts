import { Client } from 'pg';
import type { AuditLedgerResponse, AuditLine } from '../../contracts/http/audit.js';
import type { GamePhase, StateResponse } from '../../contracts/http/game.js';
import type { GamerSession } from '../../contracts/http/gamers.js';
import type { Withdrawal } from '../../contracts/http/withdrawals.js';
import type { Answer } from './visitor.js';
import { readAfter, WholeApplication } from './whole-application.js';

export const DOGECOIN = 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L';

export type AuditScenario = Awaited<ReturnType<typeof startAuditScenario>>;

/** Alice, a depositor, referred Bob, who buys three of four tokens, wins $0.52 and transfers $0.20. */
export async function startAuditScenario() {
  const application = await WholeApplication.start();
  const { visitor: admin } = await application.admin();
  const alice = await application.register('Alice');
  const login = { username: 'Alice', password: 'open sesame' };
  const { body } = await ok(alice.visitor.post<GamerSession>('/api/login', login));
  const bob = await application.register('bob', body.refCode);
  const auditor = await application.register('an-auditor');
  await ok(admin.post(`/api/admin/mini/gamers/${auditor.id}/role`, { role: 'auditor' }));
  const seconds = { pregameDurationSeconds: 1, downtimeDurationSeconds: 600, tokenExtensionSeconds: 1 };
  await ok(admin.post('/api/admin/timers', { ...seconds, liveDurationSeconds: 4 }));
  for (const [{ id }, totalWinningsCents] of [
    [alice, 2_000],
    [bob, 0],
  ] as const) {
    const change = { purchaseBalanceCents: 500, totalWinningsCents, reason: 'a gift' };
    await ok(admin.post(`/api/admin/mini/gamers/${id}/adjust`, change));
  }
  await ok(admin.post(`/api/admin/mini/gamers/${alice.id}/depositor-status`, { isDepositor: true }));
  await ok(admin.post('/api/admin/game/start', {}));
  await until(application, 'live');
  for (const [{ id, visitor }, quantity] of [
    [bob, 2],
    [alice, 1],
    [bob, 1],
  ] as const) {
    await ok(visitor.post('/api/buy-from-balance', { quantity, userId: id }));
  }
  await until(application, 'downtime');
  await ok(bob.visitor.post(`/api/gamer/${bob.id}/transfer-to-purchase`, { amountCents: 20 }));
  const form = { cryptoType: 'DOGE', walletAddress: DOGECOIN, amountCents: 1_000 };
  const requested = await ok(alice.visitor.post(`/api/gamer/${alice.id}/withdraw`, form));
  const [withdrawal] = await readAfter<Withdrawal[]>(admin, requested, '/api/admin/withdrawals');
  const returned = admin.put(`/api/admin/withdrawals/${withdrawal?.id}`, { status: 'returned', adminNotes: 'Refused' });
  const whole = '/api/audit/ledger?count=100';
  const { events: ledger } = await readAfter<AuditLedgerResponse>(auditor.visitor, await ok(returned), whole);
  const database = new Client({ connectionString: application.stores.databaseUrl });
  await database.connect();
  return {
    ...{ application, database, auditor, alice, bob },
    ledger,
    /** Reads `/api/audit/…` as the auditor. */
    read: async <T>(path: string) => (await ok(auditor.visitor.get<T>(`/api/audit/${path}`))).body,
    newest(type: AuditLine['type']): AuditLine {
      const line = ledger.find((one) => one.type === type);
      if (!line) throw new Error(`no ${type} in the scenario`);
      return line;
    },
    async close() {
      await database.end();
      await application.close();
    },
  };
}

export async function ok<T>(answer: Promise<Answer<T>>): Promise<Answer<T>> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return answer;
}

async function until(application: WholeApplication, phase: GamePhase): Promise<void> {
  while ((await application.visitor().get<StateResponse>('/api/state')).body.currentGame.gameState !== phase);
}
