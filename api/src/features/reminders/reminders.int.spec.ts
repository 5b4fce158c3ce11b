import { createPublicKey, verify } from 'node:crypto';
import { mailboxOf } from '../../../../contracts/email.js';
import type { ErrorBody } from '../../../../contracts/http/headers.js';
import type { ReminderKeyResponse } from '../../../../contracts/http/reminders.js';
import { until } from '../../../../contracts/testing/until.js';
import { mailsTo } from '../../../test/mails.js';
import { type ReceivedPush, TestPushService, TestSubscription } from '../../../test/push-service.js';
import { codeOf, ok, Visitor } from '../../../test/visitor.js';
import { type Person, WholeApplication } from '../../../test/whole-application.js';
import { AccountsStore } from '../gamers/accounts.store.js';

let service: TestPushService;

const settings = async () => {
  service ??= await TestPushService.start();
  return { PUSH_SERVICES: service.origin, ADMIN_EMAIL: 'admin@omni.example' };
};
const application = WholeApplication.forTests(settings, { mail: true });
const other = application.anotherNodeForTests(async () => ({
  ...(await settings()),
  SMTP_URL: application.mail.smtpUrl,
}));
const { visitor: admin } = application.adminForTests();

afterAll(() => service?.close());

const register = (gamerTag: string): Promise<Person> => application.register(gamerTag);

const onOtherNode = (visitor: Visitor): Visitor => visitor.at(other.url);

const forget = (visitor: Visitor, { endpoint }: TestSubscription) =>
  visitor.send('DELETE', '/api/reminders', { endpoint });

async function subscribe(
  visitor: Visitor,
  path: string,
  subscription = new TestSubscription(`${service.origin}${path}`),
): Promise<TestSubscription> {
  const response = await visitor.put('/api/reminders', subscription.toJSON());
  expect(response).toMatchObject({ status: 200 });
  return subscription;
}

/** Whose browser the path is; undefined without a subscription. */
async function ownerOf(path: string): Promise<string | undefined> {
  const sql = 'SELECT gamer_id FROM auth.push_subscriptions WHERE endpoint = $1';
  return (await application.database.query(sql, [`${service.origin}${path}`])).rows[0]?.gamer_id;
}

async function goLive(): Promise<number> {
  const { status, body } = await admin.post<{ roundId: number }>('/api/admin/game/start-live', {});
  expect(status).toBe(200);
  return body.roundId;
}

const untilReceived = (path: string, count: number): Promise<ReceivedPush[]> =>
  until(
    () => service.to(path),
    ({ length }) => length >= count,
  );

const reset = () => admin.post('/api/admin/game/reset', { reason: 'the next test' });

it('reminds each subscribed browser once when a round goes live, on either node, and none of a gamer in a time-out', async () => {
  const [ada, ben] = [await register('ada'), await register('ben')];
  const phone = await subscribe(ada.visitor, '/ada-phone');
  const desktop = await subscribe(ada.visitor, '/ada-desktop');
  const ownPhone = await subscribe(onOtherNode(ben.visitor), '/ben');
  const kate = await register('kate');
  await subscribe(kate.visitor, '/kate');
  const exclusion = { kind: 'time-out', days: 1 };
  expect((await kate.visitor.post(`/api/gamer/${kate.id}/exclusion`, exclusion)).status).toBe(200);
  const roundId = await goLive();
  for (const subscription of [phone, desktop, ownPhone]) {
    const path = new URL(subscription.endpoint).pathname;
    const [push] = await untilReceived(path, 1);
    expect(subscription.read(push as ReceivedPush)).toEqual({ roundId, endsAtEpochMs: expect.any(Number) });
    expect(push?.headers).toMatchObject({ urgency: 'high', topic: 'round-live', 'content-encoding': 'aes128gcm' });
    expect(Number(push?.headers.ttl)).toBeGreaterThan(200);
    expect(Number(push?.headers.ttl)).toBeLessThanOrEqual(300);
  }
  expect(() => phone.read(service.to('/ben')[0] as ReceivedPush)).toThrow();
  await reset();
  // The second round's messages show that the first round's were not sent twice.
  await goLive();
  for (const path of ['/ada-phone', '/ada-desktop', '/ben']) expect(await untilReceived(path, 2)).toHaveLength(2);
  expect(service.to('/kate')).toEqual([]);
  await reset();
});

it('mails each win to a confirmed address, once for all nodes', async () => {
  const [ann, zoe] = [await register('ann'), await register('zoe')];
  await application.api.app.get(AccountsStore).set(ann.id, { confirmedMailbox: mailboxOf('ann@example.com') });
  const durations = { pregameDurationSeconds: 1, liveDurationSeconds: 3, downtimeDurationSeconds: 3_600 };
  await ok(admin.post('/api/admin/timers', { ...durations, tokenExtensionSeconds: 1 }));
  const winsOf = async (gamerTag: string) =>
    (await mailsTo(application.mail, `${gamerTag}@example.com`)).filter(({ subject }) => subject.startsWith('You won'));
  // The later mails show that no other comes for the earlier wins.
  for (const winner of [zoe, ann, ann]) {
    await application.give(winner, 30);
    await ok(admin.post('/api/admin/game/start'));
    await application.reached('live');
    await ok(winner.visitor.post('/api/buy-from-balance', { quantity: 1, userId: winner.id }));
    await application.reached('downtime');
    await reset();
  }
  const mails = await until(
    () => winsOf('ann'),
    ({ length }) => length > 1,
  );
  const subjects = new Set(mails.map(({ subject }) => subject));
  expect([mails.length, subjects.size]).toEqual([2, 2]);
  for (const subject of subjects) expect(subject).toMatch(/^You won \$0\.13 in round \d+ of Omni Jackpot$/);
  expect(mails[0]?.text).toMatch(/ann bought last before zero in round \d+ and won \$0\.13\./);
  expect(await winsOf('zoe')).toEqual([]);
});

it('signs its messages with the key that browsers subscribe for, the same on every node', async () => {
  const keys = await Promise.all(
    [application.api, other].map(
      async ({ url }) => (await new Visitor(url).get<ReminderKeyResponse>('/api/reminders/key')).body.key,
    ),
  );
  expect(keys[0]).toBe(keys[1]);
  const [, token, key] = /^vapid t=(.+), k=(.+)$/.exec(service.received[0]?.headers.authorization ?? '') ?? [];
  expect(key).toBe(keys[0]);
  const [header, claims = '', signature = ''] = (token ?? '').split('.');
  const point = Buffer.from(key as string, 'base64url');
  const coordinates = { x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') };
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', ...coordinates }, format: 'jwk' });
  const signed = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  expect(verify('sha256', Buffer.from(`${header}.${claims}`), signed, Buffer.from(signature, 'base64url'))).toBe(true);
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    aud: service.origin,
    sub: 'mailto:admin@omni.example',
  });
});

it('deletes a subscription that the push service does not know any more, and keeps one that it cannot reach now', async () => {
  const { id, visitor } = await register('carol');
  for (const [path, status] of [
    ['/gone', 410],
    ['/unknown', 404],
    ['/busy', 503],
  ] as const) {
    await subscribe(visitor, path);
    service.statuses.set(path, status);
  }
  await goLive();
  for (const path of ['/gone', '/unknown', '/busy']) await untilReceived(path, 1);
  for (const path of ['/gone', '/unknown']) await until(async () => (await ownerOf(path)) === undefined);
  expect(await ownerOf('/busy')).toBe(id);
  await reset();
});

it('gives a browser to the gamer who subscribed last on it, and not to a stranger who knows its address, but not its keys', async () => {
  const [gina, hugo, thief] = [await register('gina'), await register('hugo'), await register('thief')];
  const subscription = await subscribe(gina.visitor, '/shared');
  await subscribe(hugo.visitor, '/shared', subscription);
  const stolen = new TestSubscription(subscription.endpoint).toJSON();
  expect(await codeOf(thief.visitor.put<ErrorBody>('/api/reminders', stolen))).toBe('400 invalid-push-subscription');
  for (const { visitor } of [gina, thief]) expect((await forget(visitor, subscription)).status).toBe(200);
  expect(await ownerOf('/shared')).toBe(hugo.id);
  await forget(hugo.visitor, subscription);
  expect(await ownerOf('/shared')).toBeUndefined();
});

it('keeps a gamer’s ten newest browsers', async () => {
  const { id, visitor } = await register('ivan');
  const paths = Array.from({ length: 12 }, (_, browser) => `/ivan-${browser}`);
  for (const path of paths) await subscribe(visitor, path);
  const owners = await Promise.all(paths.map(ownerOf));
  expect(owners).toEqual([undefined, undefined, ...Array(10).fill(id)]);
});

it('refuses other addresses than those of push services, and keys that no browser makes', async () => {
  const { visitor } = await register('julia');
  const right = new TestSubscription(`${service.origin}/julia`).toJSON();
  for (const wrong of [
    { ...right, endpoint: 'http://127.0.0.1:5432/' },
    { ...right, endpoint: `${service.origin}.example/julia` },
    { ...right, endpoint: 'https://169.254.169.254/latest' },
    { ...right, endpoint: 'no address' },
    { ...right, p256dh: 'short' },
    { ...right, auth: 7 },
    { endpoint: right.endpoint },
    {},
  ]) {
    const { status, body } = await visitor.put<ErrorBody>('/api/reminders', wrong);
    expect([status, body.code]).toEqual([400, 'invalid-push-subscription']);
  }
});
