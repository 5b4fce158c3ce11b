/*
 * A thief in a gamer's account wants a payout to the thief's address without the wait: by spelling the address like a paid one, by fields
 * of the request, by repeating, cancelling and changing the account meanwhile, and on another node.
 */
import type { ErrorBody } from '../../../contracts/http/headers.js';
import type { Withdrawal } from '../../../contracts/http/withdrawals.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import { EventLog } from '../../../event-log/event-log.js';
import { type RunningApi, startApi } from '../../src/testing/api-under-test.js';
import { Visitor } from '../../src/testing/visitor.js';
import {
  type Person,
  readAfter,
  startWithAliceAndBob,
  type WholeApplication,
} from '../../src/testing/whole-application.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Paid before, for the victim. The second one is valid for BTC and LTC. */
const SEGWIT = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const SCRIPT = '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy';
/** The thief's; paid before, for the accomplice only. */
const THIEFS = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';
const PAID_KEY = { 'idempotency-key': 'the-paid-withdrawal' };

let application: WholeApplication;
let other: RunningApi;
let admin: Person;
let victim: Person;
let accomplice: Person;
let paidDigest: string;

beforeAll(async () => {
  ({ application, admin, alice: victim, bob: accomplice } = await startWithAliceAndBob());
  other = await application.startAnotherNode();
  for (const { id } of [victim, accomplice]) {
    const gift = { purchaseBalanceCents: 0, totalWinningsCents: 100_000, reason: 'for a test' };
    await admin.visitor.post(`/api/admin/mini/gamers/${id}/adjust`, gift);
  }
  const withoutWait = await startApi(application.stores, { PAYOUT_WAIT_HOURS: '0' });
  for (const [whom, walletAddress] of [
    [victim, SEGWIT],
    [victim, SCRIPT],
    [accomplice, THIEFS],
  ] as const) {
    const { row } = await withdraw(whom, { walletAddress }, { at: withoutWait.url, headers: keyFor(walletAddress) });
    expect((await admin.visitor.put(`/api/admin/withdrawals/${row?.id}`, { status: 'completed' })).status).toBe(200);
  }
  await withoutWait.close();
  for await (const { event } of application.api.app.get(EventLog).readStream(LEDGER_STREAM))
    if (event.type === 'WithdrawalRequested') paidDigest ??= event.data.addressDigest as string;
});

afterAll(() => application?.close());

const keyFor = (address: string): Record<string, string> => (address === SEGWIT ? PAID_KEY : {});

function sameSession({ visitor }: Person, url: string): Visitor {
  const same = new Visitor(url);
  for (const [name, value] of visitor.cookies) same.setCookie(name, value);
  return same;
}

async function withdraw(
  whom: Person,
  more: object,
  { at = application.api.url, headers = {} }: { at?: string; headers?: Record<string, string> } = {},
) {
  const form = { cryptoType: 'BTC', amountCents: 1_000, ...more };
  const path = `/api/gamer/${whom.id}/withdraw`;
  const answer = await sameSession(whom, at).post<ErrorBody>(path, form, headers);
  if (answer.status !== 200) return { refusal: answer.body.code };
  const [row] = await readAfter<Withdrawal[]>(whom.visitor, answer, `/api/gamer/${whom.id}/withdrawals`);
  return { row };
}

/** Hours that a payout waits; null for none; a code when it is refused. */
async function waitOf(...request: Parameters<typeof withdraw>): Promise<number | null | string | undefined> {
  const { row, refusal } = await withdraw(...request);
  return row?.heldUntil ? (row.heldUntil - row.createdAt) / 3_600_000 : (refusal ?? null);
}

describe('a payout waits', () => {
  it.each<[string, object, number | null | string]>([
    ['not, to a paid address', { walletAddress: SEGWIT }, null],
    ['not, to a paid address with space around it', { walletAddress: `  ${SEGWIT}\n` }, null],
    ['to a paid address in capitals, which counts as another', { walletAddress: SEGWIT.toUpperCase() }, 24],
    ['to a paid address in another coin', { walletAddress: SCRIPT, cryptoType: 'LTC' }, 24],
    ['to an address that was paid for another gamer', { walletAddress: THIEFS }, 24],
    [
      'whatever its form says of waiting',
      { walletAddress: THIEFS, heldUntilEpochMs: null, heldUntil: 0, wait: false },
      24,
    ],
    ['also to a saved address', { walletAddress: THIEFS, saved: true, gamerId: 'bob' }, 24],
  ])('%s', async (_how, form, hours) => {
    expect(await waitOf(victim, form)).toBe(hours);
  });

  it('although its form has the digest of a paid address, on every node', async () => {
    for (const at of [application.api.url, other.url])
      expect(await waitOf(victim, { walletAddress: THIEFS, addressDigest: paidDigest }, { at })).toBe(24);
  });

  it.each<[string, object, Record<string, string>, string]>([
    [
      'in mixed case',
      { walletAddress: `${SEGWIT.slice(0, 20)}${SEGWIT.slice(20).toUpperCase()}` },
      {},
      'invalid-wallet-address',
    ],
    ['with an invisible character', { walletAddress: `${SEGWIT}\u200b` }, {}, 'invalid-wallet-address'],
    ['with a tag', { walletAddress: `${SEGWIT}?dt=7` }, {}, 'invalid-wallet-address'],
    ['with a scheme', { walletAddress: `bitcoin:${SEGWIT}` }, {}, 'invalid-wallet-address'],
    ['with two addresses', { walletAddress: `${SEGWIT} ${THIEFS}` }, {}, 'invalid-wallet-address'],
    ['in a list', { walletAddress: [SEGWIT] }, {}, 'withdrawal-fields-required'],
    ['under the key of the paid one', { walletAddress: THIEFS }, PAID_KEY, 'idempotency-key-reused'],
  ])('and is refused %s', async (_how, form, headers, refusal) => {
    expect(await waitOf(victim, form, { headers })).toBe(refusal);
  });

  it('for the full time again after a stop, a return or a new password', async () => {
    const stopped = (await withdraw(victim, { walletAddress: THIEFS })).row as Withdrawal;
    expect((await victim.visitor.post(`/api/gamer/${victim.id}/withdrawals/${stopped.id}/stop`, {})).status).toBe(200);
    const returned = (await withdraw(victim, { walletAddress: THIEFS })).row as Withdrawal;
    expect((returned.heldUntil ?? 0) - returned.createdAt).toBe(DAY_MS);
    expect((await admin.visitor.put(`/api/admin/withdrawals/${returned.id}`, { status: 'returned' })).status).toBe(200);
    const last = (await withdraw(victim, { walletAddress: THIEFS })).row as Withdrawal;
    const passwords = {
      currentPassword: 'open sesame',
      newPassword: 'a thief was here',
      confirmPassword: 'a thief was here',
    };
    expect((await victim.visitor.post('/api/account/password', passwords)).status).toBe(200);
    expect(await waitOf(victim, { walletAddress: THIEFS })).toBe(24);
    for (const status of ['processing', 'completed']) {
      const answer = await admin.visitor.put<ErrorBody>(`/api/admin/withdrawals/${last.id}`, { status });
      expect([answer.status, answer.body.code]).toEqual([409, 'withdrawal-held']);
    }
  });
});

it('an excluded gamer’s address is refused for others, however it is written', async () => {
  const address = 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3';
  const wallet = { cryptoType: 'BTC', walletAddress: address.toUpperCase() };
  const saved = await accomplice.visitor.post(`/api/gamer/${accomplice.id}/crypto-wallets`, wallet);
  await readAfter(accomplice.visitor, saved, `/api/gamer/${accomplice.id}/crypto-wallets`);
  const exclusion = { kind: 'self-exclusion', days: 184 };
  expect((await accomplice.visitor.post(`/api/gamer/${accomplice.id}/exclusion`, exclusion)).status).toBe(200);
  for (const walletAddress of [address, address.toUpperCase()])
    expect(await waitOf(victim, { walletAddress })).toBe('identity-refused');
});
