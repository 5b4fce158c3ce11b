/* A thief wants a payout to look like one to a paid address: by spelling, fields, repeats, another node. */
import type { ErrorBody } from '../../../contracts/http/headers.js';
import type { Withdrawal } from '../../../contracts/http/withdrawals.js';
import { type Person, readAfter, WholeApplication } from '../whole-application.js';

/** Paid before, for the victim. The second one is valid for BTC and LTC. */
const SEGWIT = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const SCRIPT = '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy';
/** The thief's; paid before, for the accomplice only. */
const THIEFS = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';
const PAID_KEY = { 'idempotency-key': 'the-paid-withdrawal' };

const application = WholeApplication.forTests();
const other = application.anotherNodeForTests();
const admin = application.adminForTests();
const victim = application.gamerForTests('alice', 0, 100_000);
const accomplice = application.gamerForTests('bob', 0, 100_000);

beforeAll(async () => {
  for (const [whom, walletAddress] of [
    [victim, SEGWIT],
    [victim, SCRIPT],
    [accomplice, THIEFS],
  ] as const) {
    const { row } = await withdraw(whom, { walletAddress }, { headers: keyFor(walletAddress) });
    expect((await admin.visitor.put(`/api/admin/withdrawals/${row?.id}`, { status: 'completed' })).status).toBe(200);
  }
});

const keyFor = (address: string): Record<string, string> => (address === SEGWIT ? PAID_KEY : {});

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

describe('a payout', () => {
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
});

it('an exclusion of a stranger who saved the address refuses no payout of its owner', async () => {
  const saved = await accomplice.visitor.post(`/api/gamer/${accomplice.id}/crypto-wallets`, {
    cryptoType: 'BTC',
    walletAddress: SEGWIT,
  });
  await readAfter(accomplice.visitor, saved, `/api/gamer/${accomplice.id}/crypto-wallets`);
  const exclusion = { kind: 'time-out', days: 1 };
  expect((await accomplice.visitor.post(`/api/gamer/${accomplice.id}/exclusion`, exclusion)).status).toBe(200);
  expect(await noticeOf(victim, { walletAddress: SEGWIT })).toBe(false);
});
