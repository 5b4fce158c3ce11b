/* A stolen password must not empty an account: the first payout to an address waits, and its gamer can stop it. */
import type { MessageResponse } from '../../../contracts/http/gamers.js';
import type { ErrorBody } from '../../../contracts/http/headers.js';
import type { Withdrawal } from '../../../contracts/http/withdrawals.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import { EventLog } from '../../../event-log/event-log.js';
import { Clock } from '../platform/clock.js';
import type { Answer } from '../testing/visitor.js';
import { type Person, readAfter, startWithAliceAndBob, type WholeApplication } from '../testing/whole-application.js';

const HOUR_MS = 60 * 60 * 1000;
const BITCOIN = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';
const OTHER = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';

let application: WholeApplication;
let admin: Person;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  ({ application, admin, alice, bob } = await startWithAliceAndBob());
  for (const { id } of [alice, bob]) {
    const gift = { purchaseBalanceCents: 0, totalWinningsCents: 10_000, reason: 'for a test' };
    expect((await admin.visitor.post(`/api/admin/mini/gamers/${id}/adjust`, gift)).status).toBe(200);
  }
});

afterAll(() => application?.close());

type Answered = MessageResponse & ErrorBody;

async function withdraw(who: Person, walletAddress = BITCOIN): Promise<{ row: Withdrawal; message: string }> {
  const form = { cryptoType: 'BTC', walletAddress, amountCents: 1_000 };
  const answer = await who.visitor.post<Answered>(`/api/gamer/${who.id}/withdraw`, form);
  expect(answer.status).toBe(200);
  const [row] = await readAfter<Withdrawal[]>(who.visitor, answer, `/api/gamer/${who.id}/withdrawals`);
  return { row: row as Withdrawal, message: answer.body.message };
}

const settle = ({ id }: Withdrawal, status: string): Promise<Answer<Answered>> =>
  admin.visitor.put(`/api/admin/withdrawals/${id}`, { status });
const stop = (who: Person, { id }: Withdrawal, owner = who): Promise<Answer<Answered>> =>
  who.visitor.post(`/api/gamer/${owner.id}/withdrawals/${id}/stop`, {});

it('waits for 24 hours, in which neither the admin pays it nor anybody but its gamer stops it', async () => {
  const { row, message } = await withdraw(alice);
  expect(message).toMatch(
    /requested\. This address is new: the payout waits until .+, and you can stop it until then\. After that .+ cannot be reversed\.$/,
  );
  expect((row.heldUntil ?? 0) - row.createdAt).toBe(24 * HOUR_MS);
  const [waiting] = (await admin.visitor.get<Withdrawal[]>('/api/admin/withdrawals')).body;
  expect(waiting).toMatchObject({ id: row.id, status: 'pending', heldUntil: row.heldUntil });
  for (const status of ['processing', 'completed'])
    expect(await settle(row, status)).toMatchObject({ status: 409, body: { code: 'withdrawal-held' } });
  expect((await stop(bob, row, alice)).status).toBe(403);
  expect((await stop(bob, row)).body.code).toBe('withdrawal-not-found');
  expect((await stop(admin, row)).body.code).toBe('withdrawal-not-found');

  const stopped = await stop(alice, row);
  expect(stopped).toMatchObject({ status: 200, body: { message: expect.stringContaining('back in your winnings') } });
  const profile = await readAfter<{ balances: object }>(alice.visitor, stopped, `/api/gamer/${alice.id}`);
  expect(profile.balances).toMatchObject({ currentWinningsCents: 10_000, reservedCents: 0 });
  expect(await settle(row, 'completed')).toMatchObject({ status: 409, body: { code: 'withdrawal-settled' } });
  expect((await stop(alice, row)).body.code).toBe('withdrawal-settled');
});

it('is stopped or paid, never both, when all buttons are pressed at its end', async () => {
  const { row } = await withdraw(alice);
  const clock = jest.spyOn(application.api.app.get(Clock), 'now');
  const end = row.heldUntil as number;
  clock.mockReturnValue(end - 1);
  expect((await settle(row, 'completed')).status).toBe(409);
  let isOver = false;
  clock.mockImplementation(() => (isOver ? end : end - 1));
  const presses = Array.from({ length: 40 }, (_, index) => {
    if (index === 20) isOver = true;
    return index % 2 === 0 ? stop(alice, row) : settle(row, 'completed');
  });
  const outcomes = (await Promise.all(presses)).map(({ status }) => status);
  expect(outcomes.filter((status) => status === 200)).toHaveLength(1);
  clock.mockRestore();
});

it('is paid from then on, and the next one to the same address does not wait', async () => {
  const { row } = await withdraw(bob);
  let later = row.heldUntil as number;
  const clock = jest.spyOn(application.api.app.get(Clock), 'now').mockImplementation(() => later++);
  expect((await stop(bob, row)).body.code).toBe('withdrawal-not-held');
  expect((await settle(row, 'completed')).status).toBe(200);
  const next = await withdraw(bob);
  expect(next.row.heldUntil).toBeNull();
  expect(next.message).toMatch(/cannot be reversed\.$/);
  expect((await stop(bob, next.row)).body.code).toBe('withdrawal-not-held');
  expect((await withdraw(bob, OTHER)).row.heldUntil).not.toBeNull();
  // Bob's address is new for Alice.
  expect((await withdraw(alice, OTHER)).row.heldUntil).not.toBeNull();
  clock.mockRestore();
});

it('writes no address into the log, and digests that are the same for one gamer only', async () => {
  const requests: Record<string, unknown>[] = [];
  for await (const { event } of application.api.app.get(EventLog).readStream(LEDGER_STREAM)) {
    if (event.type === 'WithdrawalRequested') requests.push({ ...event.data });
  }
  expect(JSON.stringify(requests)).not.toMatch(new RegExp(`${BITCOIN}|${OTHER}`));
  const digests = requests.map(({ addressDigest }) => addressDigest as string);
  for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{64}$/);
  // Alice twice and Bob twice to one address, then each of them to the other address.
  expect(digests[0]).toBe(digests[1]);
  expect(digests[2]).toBe(digests[3]);
  expect(new Set(digests).size).toBe(4);
});
