/* A thief is an operator, or wants a payout to look like one to a paid address; on two nodes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorBody } from '../../../contracts/http/headers.js';
import type { Withdrawal } from '../../../contracts/http/withdrawals.js';
import type { Power } from '../../../contracts/ids.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import { until } from '../../../contracts/testing/until.js';
import { codeOf, type Visitor } from '../visitor.js';
import { type Person, readAfter, withAliceAndBob } from '../whole-application.js';

/** Paid before, for the victim. The second one is valid for BTC and LTC. */
const SEGWIT = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const SCRIPT = '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy';
/** The thief's; paid before, for the accomplice only. */
const THIEFS = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';
const PAID_KEY = { 'idempotency-key': 'the-paid-withdrawal' };

const { application, admin, alice: victim, bob: accomplice } = withAliceAndBob();
const other = application.anotherNodeForTests();
const thief = application.gamerForTests('thief');

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
  beforeEach(() => setPowers(thief, ['money']));

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
    const request = { cryptoType: 'BTC', walletAddress: THIEFS, amountCents: 1_000 };
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

describe('a payout', () => {
  beforeAll(async () => {
    for (const gamer of [victim, accomplice]) await application.give(gamer, 0, 100_000);
    for (const [whom, walletAddress] of [
      [victim, SEGWIT],
      [victim, SCRIPT],
      [accomplice, THIEFS],
    ] as const) {
      const { row } = await withdraw(whom, { walletAddress }, { headers: walletAddress === SEGWIT ? PAID_KEY : {} });
      expect((await admin.visitor.put(`/api/admin/withdrawals/${row?.id}`, { status: 'completed' })).status).toBe(200);
    }
  });

  async function withdraw(
    whom: Person,
    more: object,
    { at = application.api.url, headers = {} }: { at?: string; headers?: Record<string, string> } = {},
  ) {
    const form = { cryptoType: 'BTC', amountCents: 1_000, ...more };
    const path = `/api/gamer/${whom.id}/withdraw`;
    const response = await whom.visitor.at(at).post<ErrorBody>(path, form, headers);
    if (response.status !== 200) return { refusal: response.body.code };
    const [row] = await readAfter<Withdrawal[]>(whom.visitor, response, `/api/gamer/${whom.id}/withdrawals`);
    return { row };
  }

  /** Whether the admin panel shows the payout's address as new; a code when the payout is refused. */
  async function noticeOf(...request: Parameters<typeof withdraw>): Promise<boolean | string | undefined> {
    const { row, refusal } = await withdraw(...request);
    return row?.isNewAddress ?? refusal;
  }

  it.each<[string, object, boolean]>([
    ['to a paid address is not', { walletAddress: SEGWIT }, false],
    ['to a paid address with space around it is not', { walletAddress: `  ${SEGWIT}\n` }, false],
    ['to a paid address in capitals (BIP 173) is not', { walletAddress: SEGWIT.toUpperCase() }, false],
    ['to a paid address in another coin is', { walletAddress: SCRIPT, cryptoType: 'LTC' }, true],
    ['to an address that was paid for another gamer is', { walletAddress: THIEFS }, true],
    ['whose form says that its address is known is', { walletAddress: THIEFS, isNewAddress: false }, true],
    ['also to a saved address is', { walletAddress: THIEFS, saved: true, gamerId: 'bob' }, true],
  ])('%s shown as one to a new address', async (_how, form, isNew) => {
    for (const at of [application.api.url, other.url]) expect(await noticeOf(victim, form, { at })).toBe(isNew);
  });

  it.each<[string, object, Record<string, string>, string]>([
    ['with two addresses', { walletAddress: `${SEGWIT} ${THIEFS}` }, {}, 'invalid-wallet-address'],
    ['in a list', { walletAddress: [SEGWIT] }, {}, 'withdrawal-fields-required'],
    ['under the key of the paid one', { walletAddress: THIEFS }, PAID_KEY, 'idempotency-key-reused'],
  ])('is refused %s', async (_how, form, headers, refusal) => {
    expect(await noticeOf(victim, form, { headers })).toBe(refusal);
  });

  it('is not refused to its owner after an exclusion of a stranger who saved the address', async () => {
    const saved = await accomplice.visitor.post(`/api/gamer/${accomplice.id}/crypto-wallets`, {
      cryptoType: 'BTC',
      walletAddress: SEGWIT,
    });
    await readAfter(accomplice.visitor, saved, `/api/gamer/${accomplice.id}/crypto-wallets`);
    const exclusion = { kind: 'time-out', days: 1 };
    expect((await accomplice.visitor.post(`/api/gamer/${accomplice.id}/exclusion`, exclusion)).status).toBe(200);
    expect(await noticeOf(victim, { walletAddress: SEGWIT })).toBe(false);
  });
});
