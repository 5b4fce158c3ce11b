/* An operator is a thief: of powers, former powers, older sessions and sockets, the own money; on two nodes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorBody } from '../../../contracts/http/headers.js';
import type { Withdrawal } from '../../../contracts/http/withdrawals.js';
import type { Power } from '../../../contracts/ids.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import { until } from '../../../contracts/testing/until.js';
import { codeOf, type Visitor } from '../visitor.js';
import { type Person, readAfter, withAliceAndBob } from '../whole-application.js';

const BITCOIN = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';

const { application, admin, alice: victim, bob: accomplice } = withAliceAndBob();
const other = application.anotherNodeForTests();
const thief = application.gamerForTests('thief');
const colleague = application.gamerForTests('colleague');

beforeEach(async () => {
  await setPowers(thief, ['money']);
  await setPowers(colleague, ['money']);
});

const adminPath = (whom: Person, what: string) => `/api/admin/mini/gamers/${whom.id}/${what}`;

async function setPowers(whom: Person, powers: Power[]): Promise<void> {
  const role = powers.length > 0 ? { role: 'operator', powers } : { role: 'gamer' };
  expect((await admin.visitor.post(adminPath(whom, 'role'), role)).status).toBe(200);
  // The other node hears of a new power a moment later.
  while (powers.includes('money') && (await elsewhere(whom).get('/api/admin/withdrawals')).status !== 200)
    await sleep(20);
}

const elsewhere = ({ visitor }: Person): Visitor => visitor.at(other.url);

function adjust(by: Visitor, whom: Person, purchaseBalanceCents: number) {
  const adjustment = { purchaseBalanceCents, totalWinningsCents: 0, reason: 'for the test' };
  return by.post<Partial<ErrorBody>>(adminPath(whom, 'adjust'), adjustment);
}

/** Reads the newest event of the gamer's balance from the log. */
async function balanceOf({ id }: Person): Promise<number> {
  let cents = 0;
  for (const { event } of await application.eventsOf(LEDGER_STREAM))
    if (event.type === 'BalanceAdjusted' && event.data.gamerId === id) cents = event.data.purchaseBalanceCents;
  return cents;
}

describe('an operator', () => {
  it('acts as the session’s gamer, whatever ids the request names', async () => {
    await setPowers(thief, ['community']);
    const forged = { role: 'admin', actor: { id: admin.id, role: 'admin' }, powers: ['money'], gamerId: admin.id };
    const body = { purchaseBalanceCents: 100, totalWinningsCents: 0, reason: 'mine', ...forged };
    const headers = { 'x-role': 'admin', 'x-user-id': admin.id, 'x-actor': admin.id };
    expect(await codeOf(thief.visitor.post(adminPath(accomplice, 'adjust'), body, headers))).toBe('403 power-missing');
    expect(await balanceOf(accomplice)).toBe(0);
  });

  it('gets no event into the ledger after losing the power, even for requests in flight', async () => {
    const sessions = [thief.visitor, elsewhere(thief)];
    const acts = Array.from({ length: 60 }, (_, index) => adjust(sessions[index % 2] as Visitor, accomplice, 1));
    await setPowers(thief, ['support']);
    acts.push(...sessions.map((session) => adjust(session, accomplice, 1)));
    const responses = await Promise.all(acts.map(codeOf));
    expect(new Set(responses)).toContain('403 power-missing');
    let hasPower = false;
    for (const { event, metadata } of await application.eventsOf(LEDGER_STREAM)) {
      if (event.type === 'PowersSet' && event.data.gamerId === thief.id) hasPower = event.data.powers.includes('money');
      if (event.type === 'BalanceAdjusted' && metadata.actor.id === thief.id) expect(hasPower).toBe(true);
    }
  });

  it('gets no more messages on an open socket of another node after its powers change', async () => {
    await setPowers(thief, ['support']);
    // Until the other node has heard of it, a socket would be opened with the power that comes back below.
    await until(async () => (await elsewhere(thief).get('/api/admin/withdrawals')).status === 403);
    const socket = await application.socket(thief.visitor, other.url);
    const heard: string[] = [];
    socket.onAny((name: string) => heard.push(name));
    await setPowers(thief, ['money']);
    await until(async () => !socket.connected);
    const again = await application.socket(thief.visitor, other.url);
    again.onAny((name: string) => heard.push(name));
    await victim.visitor.post('/api/support/tickets', { subject: 'Help', message: 'Where is my money?' });
    await sleep(500);
    expect(heard.filter((name) => name.startsWith('admin:'))).toEqual([]);
    again.close();
  });

  it('cannot act on its own account, nor finish a withdrawal it requested as a gamer', async () => {
    await setPowers(thief, []);
    await application.give(thief, 0, 2_000);
    const request = { cryptoType: 'BTC', walletAddress: BITCOIN, amountCents: 1_000 };
    const requested = await thief.visitor.post(`/api/gamer/${thief.id}/withdraw`, request);
    const [own] = await readAfter<Withdrawal[]>(thief.visitor, requested, `/api/gamer/${thief.id}/withdrawals`);
    await setPowers(thief, ['money']);
    for (const status of ['processing', 'completed', 'returned']) {
      const response = await elsewhere(thief).put(`/api/admin/withdrawals/${own?.id}`, { status });
      expect(await codeOf(response)).toBe('403 power-not-for-oneself');
    }
    expect(await codeOf(adjust(thief.visitor, thief, 1))).toBe('403 power-not-for-oneself');
    const status = await thief.visitor.post(adminPath(thief, 'depositor-status'), { isDepositor: true });
    expect(await codeOf(status)).toBe('403 power-not-for-oneself');
    // The route for the operator's profit, which has no wait, refuses it too.
    const byProfit = await admin.visitor.put(`/api/admin/profits/withdrawals/${own?.id}`, { status: 'completed' });
    expect(await codeOf(byProfit)).toBe('404 withdrawal-not-found');
  });
});
