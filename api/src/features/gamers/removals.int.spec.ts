import { randomUUID } from 'node:crypto';
import type { StateResponse, StatsResponse } from '../../../../contracts/http/game.js';
import type { AdminGamersResponse, DeleteGamerResponse } from '../../../../contracts/http/gamers.js';
import type { ErrorBody } from '../../../../contracts/http/headers.js';
import type { GenealogyResponse } from '../../../../contracts/http/matrix.js';
import type { RecentPurchasesResponse } from '../../../../contracts/http/purchases.js';
import { gamerStream, paymentStream } from '../../../../contracts/streams.js';
import { paymentOpened } from '../../../../domain/testing/money.js';
import { createTestDatabase } from '../../../../embedded/postgres/testing/test-database.js';
import { EventLog } from '../../../../event-log/event-log.js';
import { startApi } from '../../../test/api-under-test.js';
import { type ApiResponse, errorOf, type Visitor } from '../../../test/visitor.js';
import { type Person, readAfter, WholeApplication } from '../../../test/whole-application.js';
import { Ledger } from '../../ledger/ledger.js';
import { POLLED_FOR_MS } from '../payments/payment-polls.store.js';
import { AccountsStore } from './accounts.store.js';
import { Removals } from './removals.store.js';

const application = WholeApplication.forTests();
const admin = application.adminForTests();

const provider = <T>(type: new (...parameters: never[]) => T): T => application.api.app.get<T>(type);

const remove = ({ id }: Pick<Person, 'id'>, by: Visitor = admin.visitor, headers: Record<string, string> = {}) =>
  by.delete<DeleteGamerResponse & ErrorBody>(`/api/admin/gamers/${id}`, headers);

const buy = ({ id, visitor }: Person, quantity = 1) => visitor.post('/api/buy-from-balance', { quantity, userId: id });

const join = (gamerTag: string, sponsor?: Person) => application.register(gamerTag, sponsor?.refCode);

const genealogyOf = async ({ id }: Person, after: ApiResponse<unknown>) =>
  (await readAfter<GenealogyResponse>(admin.visitor, after, `/api/genealogy/${id}`)).genealogy;

const isEmpty = async (stream: string) => (await provider(EventLog).headRevision(stream)) < 0;

/** Runs the sweep as if time had passed; it finishes all removals. */
async function settle(): Promise<void> {
  await provider(Removals).sweep(new Date(Date.now() + 60_000));
  expect((await application.database.query('SELECT FROM auth.removals')).rowCount).toBe(0);
}

describe('deleting a gamer', () => {
  let top: Person;
  let middle: Person;

  beforeAll(async () => {
    top = await join('top-gamer');
    middle = await join('middle-gamer', top);
    for (const child of ['child-a', 'child-b']) await join(child, middle);
    await admin.visitor.post('/api/admin/game/start-live');
  });

  it('is refused for the admin, unknown ids and the last buyer, and then moves the children up, forfeits the balances and erases the name', async () => {
    expect(await errorOf(remove(admin))).toEqual([403, 'The admin account cannot be deleted']);
    expect(await errorOf(remove({ id: 'nobody' }))).toEqual([404, 'Gamer not found']);
    await application.give(middle, 3_000, 2_000);
    expect((await buy(middle)).status).toBe(200);
    expect(await errorOf(remove(middle))).toEqual([409, 'This gamer is the last buyer of the live round']);
    await application.give(top, 3_000);
    expect((await buy(top)).status).toBe(200);
    await settle();
    expect((await middle.visitor.get(`/api/gamer/${middle.id}`)).status).toBe(200);
    // This invoice is no longer polled: money that still arrives for it is parked, without a gamer.
    await openInvoice(middle, Date.now() - POLLED_FOR_MS);
    const key = { 'idempotency-key': 'remove-middle' };
    const response = await remove(middle, admin.visitor, key);
    expect(response).toMatchObject({ status: 200, body: { details: { reassignedChildren: 2 } } });

    const tree = await genealogyOf(top, response);
    expect(tree.teamSize).toBe(2);
    expect(tree.children.map(({ username, children }) => [username, children])).toEqual([
      ['child-a', []],
      ['child-b', []],
    ]);
    const { rows } = await application.database.query(
      `SELECT cents FROM read.balances WHERE account = 'house:forfeited'`,
    );
    expect(rows).toEqual([{ cents: String(3_000 - 30 + 2_000) }]);
    const list = await readAfter<AdminGamersResponse>(admin.visitor, response, '/api/admin/mini/gamers');
    expect(list.gamers.map(({ gamerTag }) => gamerTag)).toEqual(['child-a', 'child-b', 'top-gamer']);
    expect((await readAfter<StatsResponse>(admin.visitor, response, '/api/stats')).totalGamers).toBe(3);
    const { purchases } = await readAfter<RecentPurchasesResponse>(admin.visitor, response, '/api/purchases/recent');
    expect(purchases.map(({ buyerGamerTag }) => buyerGamerTag)).toEqual(['top-gamer', 'deleted-gamer']);
    const { currentGame } = await readAfter<StateResponse>(admin.visitor, response, '/api/state');
    expect(currentGame.purchases.map(({ buyerGamerTag }) => buyerGamerTag)).toEqual(['top-gamer', 'deleted-gamer']);

    expect((await middle.visitor.get(`/api/gamer/${middle.id}`)).status).toBe(401);
    expect((await admin.visitor.get(`/api/gamer/${middle.id}`)).status).toBe(404);
    const again = { username: 'middle-gamer', password: 'open sesame' };
    expect((await application.visitor().post('/api/login', again)).status).toBe(401);
    expect(await isEmpty(gamerStream(middle.id))).toBe(true);
    // A repeated command returns the first result.
    expect((await remove(middle, admin.visitor, key)).body).toEqual(response.body);
  });

  it('happens once, leaves the tag to others, and holds after Postgres was lost', async () => {
    await settle();
    expect(await errorOf(remove(middle))).toEqual([404, 'Gamer not found']);
    await settle();
    expect((await join('middle-gamer')).id).not.toBe(middle.id);
    const replacement = await createTestDatabase();
    const node = await startApi({ ...application.stores, databaseUrl: replacement.url });
    const restored = node.app.get(AccountsStore);
    expect(await restored.findById(top.id)).toMatchObject({ gamerTag: 'top-gamer' });
    expect(await restored.findById(middle.id)).toBeNull();
    await node.close();
    await replacement.drop();
  });

  it('registers a gamer whose sponsor is deleted at the same time, without that sponsor', async () => {
    const sponsor = await join('brief-sponsor');
    const accounts = provider(AccountsStore);
    const reserve = jest.spyOn(accounts, 'reserve').mockImplementationOnce(async (account) => {
      reserve.mockRestore();
      await accounts.reserve(account);
      expect((await remove(sponsor)).status).toBe(200);
    });
    const newcomer = await join('late-comer', sponsor);
    const response = await application.give(newcomer, 100);
    expect((await genealogyOf(newcomer, response)).username).toBe('late-comer');
    await settle();
  });
});

describe('an interrupted removal', () => {
  it('is finished after the node died behind the ledger’s step, or when the admin sends it again', async () => {
    const victim = await join('half-gone');
    const parent = await join('half-parent');
    await join('half-child', parent);
    const dying = jest.spyOn(provider(Removals), 'erasePerson');
    for (const person of [victim, parent]) {
      dying.mockRejectedValueOnce(new Error('the node died'));
      expect((await remove(person)).status).toBe(500);
    }
    dying.mockRestore();
    // The account still exists, but the ledger has removed the gamer.
    expect((await victim.visitor.get(`/api/gamer/${victim.id}/crypto-wallets`)).status).toBe(200);
    expect((await buy(victim)).status).not.toBe(200);
    expect(await remove(parent)).toMatchObject({ status: 200, body: { details: { reassignedChildren: 1 } } });
    expect(await provider(AccountsStore).findById(parent.id)).toBeNull();
    await settle();
    expect(await provider(AccountsStore).findById(victim.id)).toBeNull();
    expect(await isEmpty(gamerStream(victim.id))).toBe(true);
  });

  it('is finished after the node died before the ledger’s step, or dropped when the ledger refuses it', async () => {
    const [goes, stays] = [await join('dies-before'), await join('buys-after')];
    const execute = jest.spyOn(provider(Ledger), 'execute');
    for (const person of [goes, stays]) {
      execute.mockRejectedValueOnce(new Error('the node died'));
      expect((await remove(person)).status).toBe(500);
    }
    execute.mockRestore();
    await application.give(stays, 300);
    expect((await buy(stays)).status).toBe(200);
    await settle();
    expect(await provider(AccountsStore).findById(goes.id)).toBeNull();
    expect((await stays.visitor.get(`/api/gamer/${stays.id}`)).status).toBe(200);
  });
});

/** Appends the event of an invoice, as the payments do, and waits for the tables. */
async function openInvoice({ id: gamerId }: Person, at: number): Promise<void> {
  const orderId = randomUUID();
  const metadata = { commandId: orderId, actor: { id: gamerId, role: 'gamer' as const }, at, schema: 1 };
  const opened = { id: randomUUID(), event: paymentOpened({ orderId, gamerId }), metadata };
  const { position } = await provider(EventLog).append(paymentStream(orderId), [opened], -1);
  const response = await admin.visitor.get('/api/stats', { 'x-after-position': position });
  expect(BigInt(response.headers.get('x-position') as string)).toBeGreaterThanOrEqual(BigInt(position));
}
