import { ERASED_TEXT } from '../../../contracts/encrypted-text.js';
import type { ErrorBody } from '../../../contracts/http/headers.js';
import type { Withdrawal } from '../../../contracts/http/withdrawals.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import { type Person, readAfter, withAliceAndBob } from '../whole-application.js';

const SECRET = 'lives in the yellow house';
const BITCOIN = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';

const { application, admin, alice: victim, bob: thief } = withAliceAndBob();
let encrypted: string;
let withdrawals: Record<'victim' | 'thief', string>;

beforeAll(async () => {
  const ids: string[] = [];
  for (const whom of [victim, thief]) {
    await application.give(whom, 0, 10_000, SECRET);
    const form = { cryptoType: 'BTC', walletAddress: BITCOIN, amountCents: 1_000 };
    const requested = await whom.visitor.post(`/api/gamer/${whom.id}/withdraw`, form);
    ids.push(
      (await readAfter<Withdrawal[]>(whom.visitor, requested, `/api/gamer/${whom.id}/withdrawals`))[0]?.id ?? '',
    );
    const note = { status: 'returned', adminNotes: SECRET };
    const noted = await admin.visitor.put(`/api/admin/withdrawals/${ids.at(-1)}`, note);
    await readAfter(admin.visitor, noted, '/api/admin/withdrawals');
  }
  withdrawals = { victim: ids[0] as string, thief: ids[1] as string };
  for (const { event } of await application.eventsOf(LEDGER_STREAM))
    if (event.type === 'WithdrawalReturned' && event.data.gamerId === victim.id)
      encrypted = event.data.adminNotes ?? '';
  expect(encrypted).toMatch(/^encrypted:1:.+:[\w-]{40,}$/);
});

const notesOf = async (whom: Person) =>
  (await whom.visitor.get<Withdrawal[]>(`/api/gamer/${whom.id}/withdrawals`)).body.map(({ adminNotes }) => adminNotes);

describe('a typed text that looks encrypted', () => {
  const own = (text: string) => text.replace(victim.id, thief.id);
  it.each<[string, () => string]>([
    ['as another gamer has it', () => encrypted],
    ['for the thief', () => own(encrypted)],
    ['with space before it', () => `\n  ${encrypted}`],
    ['with nothing encrypted in it', () => 'encrypted:1:nobody:'],
    ['that only begins so', () => 'encrypted:1: please read'],
    ['in a long text', () => `${encrypted}${'A'.repeat(1_100)}`],
  ])('is refused by every form, %s', async (_how, text) => {
    const adjust = { purchaseBalanceCents: 1, totalWinningsCents: 0, reason: text() };
    const attempts: [Person, string, string, object][] = [
      [admin, 'POST', `/api/admin/mini/gamers/${thief.id}/adjust`, adjust],
      [admin, 'POST', '/api/admin/game/reset', { reason: text() }],
      [admin, 'PUT', `/api/admin/withdrawals/${withdrawals.thief}`, { status: 'returned', adminNotes: text() }],
      [admin, 'PUT', `/api/admin/withdrawals/${withdrawals.thief}`, { status: 'completed', txid: text() }],
      [admin, 'POST', '/api/admin/reject-deposit', { depositId: 'd', adminNotes: text() }],
      [admin, 'POST', '/api/admin/lookup-payment', { paymentId: '1', gamerTag: 'bob', reason: text() }],
      [thief, 'POST', '/api/support/tickets', { subject: text(), message: 'x' }],
      [thief, 'POST', '/api/community/posts', { message: text() }],
      [thief, 'POST', '/api/anything', { deep: [{ deeper: text() }] }],
    ];
    for (const [{ visitor }, method, path, body] of attempts) {
      const response = await visitor.send<ErrorBody>(method, path, body);
      expect([path, response.status, response.body.code]).toEqual([path, 400, 'reserved-text']);
    }
  });

  it('is refused when its letters are escaped', async () => {
    const body = `{"message":"\\u0065ncrypted:1:${victim.id}:AAAA"}`;
    const { status, body: refusal } = await thief.visitor.post<ErrorBody>('/api/community/posts', body, {
      'content-type': 'application/json',
    });
    expect([status, refusal.code]).toEqual([400, 'reserved-text']);
  });

  it('is accepted when the marker is not at its beginning', async () => {
    const message = 'My letter was encrypted:1:2 with wax.';
    expect((await thief.visitor.post('/api/community/posts', { gamerId: thief.id, message })).status).toBe(201);
  });
});

it('an encrypted text that was put into another gamer’s row reads as erased there, for the gamer and for the admin, and stays readable in its own row', async () => {
  expect([await notesOf(victim), await notesOf(thief)]).toEqual([[SECRET], [SECRET]]);
  await application.database.query('UPDATE read.withdrawals SET admin_notes = $2 WHERE id = $1', [
    withdrawals.thief,
    encrypted,
  ]);
  expect([await notesOf(victim), await notesOf(thief)]).toEqual([[SECRET], [ERASED_TEXT]]);
  const all = (await admin.visitor.get<Withdrawal[]>('/api/admin/withdrawals')).body;
  expect(Object.fromEntries(all.map(({ id, adminNotes }) => [id, adminNotes]))).toEqual({
    [withdrawals.victim]: SECRET,
    [withdrawals.thief]: ERASED_TEXT,
  });
});
