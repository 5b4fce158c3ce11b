/* The setting PROTECTION_PROFILE, and the secret by which excluded gamers are known again after others have changed. */
import type { ErrorBody } from '../../../../contracts/http/headers.js';
import type { LimitsResponse, ProtectionResponse } from '../../../../contracts/http/protection.js';
import { NO_LIMITS } from '../../../../contracts/protection.js';
import { until } from '../../../../contracts/testing/until.js';
import { type RunningApi, SESSION_SECRET, startApi } from '../../../test/api-under-test.js';
import { codeOf, ok, Visitor } from '../../../test/visitor.js';
import { WholeApplication } from '../../../test/whole-application.js';
import { AccountsStore } from '../gamers/accounts.store.js';

const application = WholeApplication.forTests({ PROTECTION_PROFILE: 'strict' });
const admin = application.adminForTests();
const alice = application.gamerForTests('alice', 30_000);

beforeAll(() => admin.visitor.post('/api/admin/game/start-live'));

const buy = (quantity: number) =>
  alice.visitor.post<ErrorBody>('/api/buy-from-balance', { quantity, userId: alice.id });
const deposit = (amount: number) =>
  alice.visitor.post<ErrorBody>('/api/create-deposit-invoice', { userId: alice.id, currency: 'BTC', amount });
const protection = async () => (await alice.visitor.get<ProtectionResponse>(`/api/gamer/${alice.id}/protection`)).body;
const profileOf = async (visitor: Visitor) => (await visitor.get<LimitsResponse>('/api/admin/limits')).body.profile;

describe('the strict profile', () => {
  it('is in force once a node has started, and shown to the admin', async () => {
    expect(await profileOf(admin.visitor)).toMatchObject({ profile: 'strict', mustChooseLimits: true });
  });

  it('lets nobody buy or deposit before they chose a limit of their own', async () => {
    expect(await protection()).toMatchObject({ mustChooseLimits: true });
    const body = { code: 'limits-required', error: expect.stringContaining('limit of your own') };
    for (const refused of [await buy(1), await deposit(10)]) expect(refused).toMatchObject({ status: 403, body });
    const spending = { day: 20_000, week: null, month: null };
    const deposits = { day: null, week: null, month: 50_000 };
    await ok(alice.visitor.put(`/api/gamer/${alice.id}/limits`, { ...NO_LIMITS, spending, deposits }));
    expect(await protection()).toMatchObject({ mustChooseLimits: false });
    await ok(buy(1));
  });

  it('refuses amounts beyond the operator’s limits, and says that the operator set them', async () => {
    const refused = (error: string) => ({
      status: 403,
      body: { code: 'limit-reached', error: expect.stringContaining(error) },
    });
    expect(await buy(334)).toMatchObject(refused('The operator’s loss limit is $100.00 a day. $99.70 of it is left'));
    expect(await deposit(201)).toMatchObject(refused('The operator’s deposit limit is $200.00 a day.'));
    expect((await protection()).limitsInForce).toContainEqual(
      expect.objectContaining({ setBy: 'gamer', kind: 'deposits', period: 'month', limitCents: 50_000 }),
    );
  });
});

describe('another node', () => {
  let node: RunningApi;

  beforeAll(async () => {
    await application.api.app.get(AccountsStore).set(alice.id, { confirmedMailbox: 'alice@example.com' });
    await alice.visitor.post(`/api/gamer/${alice.id}/exclusion`, { kind: 'self-exclusion', days: 184 });
    node = await application.startAnotherNode({
      SESSION_SECRET: 'another secret of the tests',
      EXCLUSION_SECRET: SESSION_SECRET,
    });
  });

  it('with another profile puts that into force', async () => {
    const read = () => profileOf(admin.visitor);
    expect(await until(read, ({ profile }) => profile === 'none')).toMatchObject({ mustChooseLimits: false });
  });

  it('without the secret under which gamers were excluded does not start, and says what to set', async () => {
    const start = startApi(application.stores, { SESSION_SECRET: 'a third secret of the tests' });
    await expect(start).rejects.toThrow('excluded gamers could register again');
  });

  it('with another session secret still knows an excluded gamer’s email', async () => {
    const again = { username: 'alice-again', email: 'alice+2@example.com', password: 'open sesame' };
    expect(await codeOf(new Visitor(node.url).post('/api/register', again))).toBe('403 identity-refused');
  });
});
