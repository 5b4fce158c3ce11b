import { ModuleRef } from '@nestjs/core';
import { verify } from '../../../../audit/replay/verify.js';
import type { Power } from '../../../../contracts/ids.js';
import { powersOf } from '../../../../domain/staff.js';
import { EventLog } from '../../../../event-log/event-log.js';
import { type Person, WholeApplication } from '../../../test/whole-application.js';
import { Ledger } from '../../ledger/ledger.js';
import { StreamCommands } from '../../ledger/stream-commands.js';
import { Refused, Unavailable } from '../../platform/failures.js';
import { AccountChanges } from './account-changes.store.js';
import { AccountsStore } from './accounts.store.js';
import { GamersModule } from './gamers.controller.js';
import { MailedLinks } from './mailed-links.store.js';

const application = WholeApplication.forTests();
const admin = application.adminForTests();

afterEach(() => jest.restoreAllMocks());

const path = ({ id }: Person, action: string) => `/api/admin/mini/gamers/${id}/${action}`;
const account = ({ id }: Person) => application.api.app.get(AccountsStore).findById(id);
const ledger = () => application.api.app.get(Ledger);
const isStaff = ({ id }: Person) => ledger().decided.staff.has(id);
const unfinishedCount = async () => (await application.database.query('SELECT FROM auth.account_changes')).rowCount;
const finish = () => application.api.app.get(AccountChanges).finish(0);

const changeRole = async (person: Person, role: string, powers: Power[] = []) =>
  (await admin.visitor.post(path(person, 'role'), { role, powers })).status;

/** The next command on a gamer's stream fails. `isAppended`: its events reach the log all the same. */
function failNext({ isAppended }: { isAppended: boolean }, error: Error = new Unavailable('for the test')): void {
  const streams = application.api.app.get(StreamCommands);
  const execute = streams.execute.bind(streams);
  jest.spyOn(streams, 'execute').mockImplementationOnce(async (command) => {
    if (isAppended) await execute(command);
    throw error;
  });
}

describe('an account change whose append got no response', () => {
  it('is finished when the same request is sent again', async () => {
    const carol = await application.register('carol');
    failNext({ isAppended: false });
    expect([await changeRole(carol, 'auditor'), await changeRole(carol, 'auditor')]).toEqual([503, 200]);
    await finish();
    expect([isStaff(carol), (await account(carol))?.role]).toEqual([true, 'auditor']);
  });

  it('is finished also after another change of the account, which succeeds', async () => {
    const dave = await application.register('dave');
    failNext({ isAppended: false });
    expect(await changeRole(dave, 'auditor')).toBe(503);
    const profile = { gamerTag: 'dave-renamed', email: 'dave@example.com' };
    expect((await admin.visitor.patch(path(dave, 'profile'), profile)).status).toBe(200);
    await finish();
    expect([isStaff(dave), await account(dave)]).toMatchObject([false, { role: 'gamer', ...profile }]);
  });

  it('is finished by any node, also when its process has ended, and only once the append must have arrived', async () => {
    const erin = await application.register('erin');
    const profile = { gamerTag: 'erin-renamed', email: 'erin-renamed@example.com' };
    failNext({ isAppended: true });
    expect((await admin.visitor.patch(path(erin, 'profile'), profile)).status).toBe(503);
    // Another node has nothing in memory.
    const { app } = application.api;
    const another = await app.select(GamersModule).get(ModuleRef, { strict: true }).create(AccountChanges);
    await another.finish();
    expect((await account(erin))?.gamerTag).toBe('erin');
    await another.finish(0);
    expect(await account(erin)).toMatchObject(profile);
    expect(await unfinishedCount()).toBe(0);
  });

  it('leaves nothing behind when its gamer is deleted', async () => {
    const heidi = await application.register('heidi');
    failNext({ isAppended: false });
    expect(await changeRole(heidi, 'auditor')).toBe(503);
    expect((await admin.visitor.delete(`/api/admin/gamers/${heidi.id}`)).status).toBe(200);
    await finish();
    expect(await unfinishedCount()).toBe(0);
  });

  it('leaves an auditor no powers', async () => {
    const frank = await application.register('frank');
    expect(await changeRole(frank, 'auditor')).toBe(200);
    failNext({ isAppended: false }, new Refused('clock-untrusted'));
    expect(await changeRole(frank, 'operator', ['money'])).toBe(503);
    expect(powersOf(ledger().decided, frank.id)).toEqual(['money']);
    await finish();
    expect(powersOf(ledger().decided, frank.id)).toEqual([]);
    expect([isStaff(frank), (await account(frank))?.role]).toEqual([true, 'auditor']);
  });

  it('makes links void that the gamer requested before becoming staff', async () => {
    const grace = await application.register('grace');
    const links = application.api.app.get(MailedLinks);
    const link = await links.create('reset-password', 'grace@example.com', (await account(grace))!);
    const token = link?.split('token=')[1] as string;
    failNext({ isAppended: true });
    expect(await changeRole(grace, 'operator', ['support'])).toBe(503);
    expect(await links.find('reset-password', token)).toMatchObject({ gamerId: grace.id });
    await finish();
    expect((await account(grace))?.role).toBe('operator');
    await expect(links.find('reset-password', token)).rejects.toThrow('This reset link is invalid or has expired.');
  });
});

it('leaves a ledger in which the auditor finds nothing wrong', async () => {
  expect((await verify(application.api.app.get(EventLog), null)).findings).toEqual([]);
});
